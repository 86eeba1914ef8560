"""The service's page: whether the built files in the package were made from the sources in `web/` as they are.

python tools/page.py stamp      writes down what the built files were made from (`make web` does, after building)
python tools/page.py check      fails if the sources or the built files are others since
python tools/page.py rebuild    builds once more, where there is Node, and fails if that gives other bytes
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES, BUILT, NOTEBOOK = ROOT / "web", ROOT / "src/tocsin/service/page", ROOT / "src/tocsin/notebook/built"
STAMP = BUILT / "made-from.txt"
APART = ("node_modules", "tests")
"""Folders of `web/` of which nothing is built."""


def digest(folder: Path, paths: Iterable[Path]) -> str:
    """What files are called and what is in them, as one hash."""
    told = hashlib.sha256()
    for path in sorted(paths):
        data = path.read_bytes()
        told.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return told.hexdigest()


def stamp_of(sources: Path, built: Path, notebook: Path) -> str:
    """What the stamp says of sources, and of what was built from them: the page, and its views for notebooks."""
    some = [path for path in sources.rglob("*") if path.is_file() and path.relative_to(sources).parts[0] not in APART]
    made = [path for path in built.rglob("*") if path.is_file() and path.name != STAMP.name]
    views = [path for path in notebook.rglob("*") if path.is_file()]
    return f"sources {digest(sources, some)}\nbuilt {digest(built, made)}\nnotebook {digest(notebook, views)}\n"


def check() -> str:
    """What is wrong; nothing, where all is as it was built."""
    written = STAMP.read_text() if STAMP.exists() else ""
    return (
        ""
        if written == stamp_of(SOURCES, BUILT, NOTEBOOK)
        else "the built page is not that of the sources in web/: make web"
    )


def rebuild() -> str:
    """What is wrong with what is built anew."""
    if shutil.which("npm") is None:
        print("no Node: whether the page is built to the same bytes is not checked")
        return ""
    with tempfile.TemporaryDirectory(prefix="tocsin-page-") as name:
        folder = Path(name)
        shutil.copytree(SOURCES, folder / "web", ignore=shutil.ignore_patterns("node_modules"))
        for command in (
            ["ci", "--no-audit", "--no-fund"],
            ["run", "build", "--", "--outDir", str(folder / "built")],
            ["run", "build:notebook", "--", "--outDir", str(folder / "notebook")],
        ):
            subprocess.run(["npm", "--silent", *command], cwd=folder / "web", check=True)
        if stamp_of(SOURCES, folder / "built", folder / "notebook") != STAMP.read_text():
            return "the page is built to other bytes than those in the package"
    print("the page is built to the same bytes")
    return ""


def main() -> int:
    """Does what is asked for."""
    wanted = sys.argv[1]
    if wanted == "stamp":
        STAMP.write_text(stamp_of(SOURCES, BUILT, NOTEBOOK))
        return 0
    wrong = rebuild() if wanted == "rebuild" else check()
    if wrong:
        print(wrong, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
