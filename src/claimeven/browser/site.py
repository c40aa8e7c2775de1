"""The laboratory as a folder of static files: for any web host, and any folder of one."""

import io
import json
import re
import shutil
import zipfile
from hashlib import blake2b
from pathlib import Path

from claimeven.agents.kinds.network import SHIPPED, shipped_path
from claimeven.errors import InputError
from claimeven.map.atlas import STARTS
from claimeven.map.atlas import shipped_path as shipped_map
from claimeven.solver import opening_book_path

# What the rooms in a browser never import, or read apart.
LEFT_OUT = {"adapters", "bench", "client", "commands", "data", "learn", "static", "storage", "terminal"}
CARRIED = {".py", ".json", ".jsonl", ".txt"}
BOOKS = "data/books"  # of other boards, small: Python has them at once, the engine fetches what it wants
STAMP = (2026, 1, 1, 0, 0, 0)  # the same files make the same archive
# Of the package `pyodide` of npm.
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WHEELS = "msgspec-*-pyemscripten_*.whl"
PACKAGE = Path(__file__).parents[1]
PAGE = PACKAGE / "server" / "static"


def rooms_archive() -> bytes:
    """The Python of this package that a browser needs, as a zip."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for path in sorted(PACKAGE.rglob("*")):
            place = path.relative_to(PACKAGE)
            is_room = path.suffix in CARRIED and not LEFT_OUT.intersection(place.parts)
            if is_room or place.parent.as_posix() == BOOKS:
                name = zipfile.ZipInfo(f"claimeven/{place}", STAMP)
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return found.getvalue()


def export_site(folder: Path, runtime: Path) -> int:
    """Write the site into a new or empty folder; `runtime` has Pyodide and msgspec. Returns its bytes."""
    missing = [name for name in RUNTIME if not (runtime / name).is_file()]
    wheels = sorted(runtime.glob(WHEELS))
    if missing or not wheels:
        raise InputError("site.runtime", folder=runtime, name=(missing or [WHEELS])[0])
    if not (PAGE / "index.html").is_file():
        raise InputError("site.page")
    if folder.exists() and any(folder.iterdir()):
        raise InputError("site.folder", folder=folder)
    shutil.copytree(PAGE, folder, dirs_exist_ok=True)
    files = {name: (runtime / name).read_bytes() for name in RUNTIME}
    files |= {
        wheels[-1].name: wheels[-1].read_bytes(),
        "rooms.zip": rooms_archive(),
        opening_book_path().name: opening_book_path().read_bytes(),
    }
    # Fetched only by who plays against one, on that board, or opens the map: they are not in the list below.
    books = sorted((PACKAGE / BOOKS).iterdir())
    apart = (*map(shipped_path, SHIPPED), *map(shipped_map, STARTS), *books)
    networks = {path.name: path.read_bytes() for path in apart}
    # Whoever has the folder of this name has these files: they are never asked for again.
    everything = files | networks
    digest = blake2b(b"".join(everything[name] for name in sorted(everything)), digest_size=6).hexdigest()
    rooms = folder / f"rooms-{digest}"
    rooms.mkdir()
    for name, content in everything.items():
        (rooms / name).write_bytes(content)
    listed = [{"name": name, "size": len(content)} for name, content in files.items()]
    (rooms / "files.json").write_text(json.dumps(listed), encoding="utf-8")
    boards = [path.stem.removeprefix("book-") for path in (opening_book_path(), *books)]
    _settle(folder, rooms.name, boards)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _settle(folder: Path, rooms: str, boards: list[str]) -> None:
    """Let the page find its files where it lies, and know that there is no server."""
    index, manifest = folder / "index.html", folder / "manifest.webmanifest"
    text = re.sub(r'(src|href)="/', r'\1="./', index.read_text("utf-8"))
    told_of = f'<html data-rooms="{rooms}" data-books="{" ".join(boards)}" '
    index.write_text(text.replace("<html ", told_of, 1), encoding="utf-8")
    told = json.loads(manifest.read_text("utf-8"))
    told |= {"start_url": "./", "scope": "./"}
    for icon in told["icons"]:
        icon["src"] = f".{icon['src']}"
    for shortcut in told["shortcuts"]:
        shortcut["url"] = f"./#{shortcut['url']}"
    manifest.write_text(json.dumps(told, indent=2, ensure_ascii=False), encoding="utf-8")
    (folder / ".nojekyll").touch()  # GitHub Pages would leave some files out
