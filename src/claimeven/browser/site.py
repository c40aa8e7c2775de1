"""The laboratory as a folder of static files: for any web host, and any folder of one."""

import io
import zipfile
from pathlib import Path

# What the rooms in a browser never import, or read apart.
LEFT_OUT = {"adapters", "bench", "client", "commands", "data", "learn", "static", "storage", "terminal"}
CARRIED = {".py", ".json", ".jsonl"}
STAMP = (2026, 1, 1, 0, 0, 0)  # the same files make the same archive


def rooms_archive() -> bytes:
    """The Python of this package that a browser needs, as a zip."""
    package, found = Path(__file__).parents[1], io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for path in sorted(package.rglob("*")):
            place = path.relative_to(package)
            if path.suffix in CARRIED and not LEFT_OUT.intersection(place.parts):
                name = zipfile.ZipInfo(f"claimeven/{place}", STAMP)
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return found.getvalue()
