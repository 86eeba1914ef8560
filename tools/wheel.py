"""Makes `dist/` of the wheel that setup.py has built: tagged for every Linux that it runs on, and the sources.

    python tools/wheel.py BUILT/tocsin-....whl

The tag is not claimed but found: auditwheel reads which versions of glibc's symbols the compiled modules ask for.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"


def main() -> int:
    """Makes `dist/` anew, and says what is in it."""
    built = Path(sys.argv[1]).resolve()
    if built.name.endswith("-none-any.whl"):
        print(
            "tools/wheel.py: not compiled: install a C compiler (apt-get install gcc), and run this again",
            file=sys.stderr,
        )
        return 1
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    tag(built)
    make_sdist()
    for path in sorted(DIST.iterdir()):
        print(f"dist/{path.name}  {path.stat().st_size / 1e6:.1f} MB")
    return 0


def tag(built: Path) -> None:
    """Copies the wheel to `dist/`, on Linux with the tag of the oldest glibc that has what it asks for."""
    if sys.platform != "linux":
        shutil.copy2(built, DIST)
        return
    # No patcher: the modules need nothing but the C library. Should that change, this fails.
    command = [sys.executable, "-m", "auditwheel", "repair", "--patcher", "none", "--wheel-dir", str(DIST), str(built)]
    run_quietly(command)


def make_sdist() -> None:
    """Packs the sources into `dist/`, as the build backend that pyproject.toml names does it."""
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    run_quietly([sys.executable, "-c", code, str(DIST)])


def run_quietly(command: list[str]) -> None:
    """Runs a command; what it says is shown only if it fails."""
    done = subprocess.run(command, check=False, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{done.stdout}tools/wheel.py: {' '.join(command[1:4])} failed: the lines above say why")


if __name__ == "__main__":
    sys.exit(main())
