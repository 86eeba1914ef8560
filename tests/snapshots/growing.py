"""A later release: this one with fields that it does not have, each with a default. A script that restores there.

`python growing.py SOURCES SNAPSHOT` prints what the rest of the events brings after the snapshot.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

GROWN = {
    "algebra/rules.py": ("    hidden: bool = False\n", "    hue: str | None = None\n"),
    "algebra/patterns.py": ("class Primitive(Pattern):", "    hue: str | None = None\n"),
}
"""By file: after which line a field is added. That of a class comes after its last field."""


def grown(where: Path, files: tuple[str, ...]) -> Path:
    """The sources with a field more in each of these files."""
    sources = where / "src"
    shutil.copytree(ROOT / "src/tocsin", sources / "tocsin", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for file in files:
        path, (line, field) = sources / "tocsin" / file, GROWN[file]
        text = path.read_text()
        before, found, after = text.partition(line)
        assert found, f"{file} has no {line!r} any more"
        if line.startswith("class"):  # its last field is followed by an empty line
            body, site, rest = after.partition("    site: str | None = None\n")
            assert site
            before, found, after = before + found + body, site, rest
        path.write_text(before + found + field + after)
    return sources


def detected_by(sources: Path, snapshot: Path) -> list[str]:
    """What a process that runs those sources detects when it goes on from a snapshot."""
    command = [sys.executable, str(HERE / "growing.py"), str(sources), str(snapshot)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def main() -> None:
    """Restores and goes on."""
    sources, snapshot = sys.argv[1:]
    sys.path[:0] = [sources, str(ROOT)]
    import tocsin
    from tests.snapshots.keeping import TAKEN_AFTER, events, program, stepped
    from tocsin.algebra.notes import Notes
    from tocsin.algebra.patterns import Primitive
    from tocsin.algebra.rules import Rule
    from tocsin.engine.engine import Engine
    from tocsin.engine.state.snapshot import restore

    assert Path(tocsin.__file__).is_relative_to(sources)
    assert hasattr(Rule("r", Primitive("a")), "hue")
    engine = Engine(program(), None, Notes())
    restore(engine, Path(snapshot).read_bytes())
    after = stepped(engine, events()[TAKEN_AFTER:])
    engine.finish(None)
    print("\n".join(map(repr, after + engine.drain())))


if __name__ == "__main__":
    main()
