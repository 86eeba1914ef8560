"""Installs what is in `dist/` where nothing else is, as a user would, and runs it.

    python tools/check_wheel.py wheel       must be compiled
    python tools/check_wheel.py plain       the sources, where there is no C compiler: must run all the same, and say so
    python tools/check_wheel.py compiled    the sources, where there is one (takes as long as the compiler does)

Dependencies come from the package index. Nothing of the checkout is on the path.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def main() -> int:
    """Checks one of the three; says what was seen."""
    kind = sys.argv[1]
    (package,) = (ROOT / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    with tempfile.TemporaryDirectory(prefix="tocsin-") as name:
        folder = Path(name)
        install(
            package, folder, {"plain": {"CC": "no-c-compiler"}, "compiled": {"TOCSIN_COMPILE": "always"}}.get(kind, {})
        )
        said = output(folder, "tocsin", "--version")
        print(said.strip())
        if ("plain Python" in said) is not (kind == "plain"):
            print(f"{package.name} is {'' if kind == 'plain' else 'not '}compiled", file=sys.stderr)
            return 1
        detect_as_the_readme_does(folder)
        ask_for_what_is_missing(folder)
    print(f"{package.name}: installed in an empty environment, detects what the README says")
    return 0


def install(package: Path, folder: Path, settings: dict[str, str]) -> None:
    """Puts the package, and what it depends on, into a new environment."""
    venv.create(folder / "venv", with_pip=True)
    surroundings = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TOCSIN_COMPILE")}
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(package)], check=True, cwd=folder, env=surroundings | settings)


def output(folder: Path, *command: str, code: int = 0) -> str:
    """What a command of the environment says, on either stream; it must end with `code`."""
    program, *arguments = command
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(folder / "venv/bin" / program), *arguments],
        cwd=folder,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != code:
        sys.exit(f"{shlex.join(command)} ended with {done.returncode}, not {code}:\n{done.stdout}")
    return done.stdout


def detect_as_the_readme_does(folder: Path) -> None:
    """Runs the README's first example: its events, its command, its detection (whose id it does not print)."""
    text = README.read_text(encoding="utf-8")
    events = re.search(r"\$ cat > (events\.jsonl) <<'END'\n(.*?)^END$", text, re.DOTALL | re.MULTILINE)
    shown = re.search(r"^\$ \.venv/bin/(tocsin detect .*?)\n(\{.*\})$", text, re.DOTALL | re.MULTILINE)
    if events is None or shown is None:
        sys.exit("README.md has no example of `tocsin detect` any more: mend tools/check_wheel.py")
    (folder / events[1]).write_text(events[2], encoding="utf-8")
    found = output(folder, *shlex.split(shown[1].replace("\\\n", "")))
    expected = shown[2].partition('"id"')[0]
    if not found.startswith(expected):
        sys.exit(f"README.md says\n{shown[2]}\nand the package\n{found}")


def ask_for_what_is_missing(folder: Path) -> None:
    """Asks for what needs an extra: it must say which one, and how to get it."""
    (folder / "events.parquet").write_bytes(b"PAR1")
    rule = ("-e", "a", "--lang", "eps")
    for command, extra in (
        (("tocsin", "detect", *rule, "--events", "events.parquet"), "arrow"),
        (("tocsin", "detect", *rule, "--events", "events.jsonl", "--engine", "spark"), "spark"),
        (("tocsin", "bench", "engine", "W1"), "bench"),
    ):
        said = output(folder, *command, code=1)
        if f"pip install 'tocsin[{extra}]'" not in said or "Traceback" in said:
            sys.exit(f"{shlex.join(command)} does not say how to get tocsin[{extra}]:\n{said}")


if __name__ == "__main__":
    sys.exit(main())
