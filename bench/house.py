"""Figures of the house itself: python bench/house.py

Open dictionaries at borders, the fullest folders, the longest files. ARCHITECTURE.md keeps the last ones.
"""

import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = {".py", ".hpp", ".cpp", ".ts", ".svelte"}
FOLDERS = ("src", "native", "tests", "web/src")


def counted() -> tuple[Counter[str], Counter[Path], Counter[Path]]:
    """Open dictionaries by room, files by folder, lines by file."""
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [Path(name) for name in listed.stdout.split("\n") if Path(name).suffix in CODE]
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in files if (ROOT / path).exists()}
    python = {path: text for path, text in texts.items() if path.suffix == ".py" and path.parts[0] == "src"}
    rooms = Counter(
        path.parts[2].removesuffix(".py")
        for path, text in python.items()
        for _ in range(text.count("dict[str, Any]"))
    )
    folders = Counter(path.parent for path in texts if not path.name.startswith("__"))
    return rooms, folders, Counter({path: text.count("\n") for path, text in texts.items()})


def main() -> None:
    rooms, folders, lines = counted()
    shares = ", ".join(f"{n} {room}" for room, n in rooms.most_common())
    print(f"dict[str, Any] in src: {rooms.total()} ({shares})")
    print("files in the fullest folders:", ", ".join(f"{n} {path}" for path, n in folders.most_common(8)))
    print("lines of the longest files:", ", ".join(f"{n} {path}" for path, n in lines.most_common(6)))


if __name__ == "__main__":
    main()
