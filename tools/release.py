"""Prepares a release: `python tools/release.py 0.2.0` (`make release VERSION=0.2.0`).

The version stands in pyproject.toml alone. This sets it, gives what is under [Unreleased] in CHANGELOG.md its number
and date, keeps a snapshot that later releases have to restore, and says what is left to do. It commits nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
STANDING = re.compile(r'^version = "(?P<version>[^"]+)"$', re.MULTILINE)
UNRELEASED = "## [Unreleased]\n"

LEFT_TO_DO = """\
{version} is prepared. What is left:
  git diff                                         read it; docs/upgrading.md must say what users have to do
  .ci/run && make wheel check-wheel                on the versions as they are now
  git commit -am "Release {version}"
  git tag -a v{version} -m "Tocsin {version}"
  git push --follow-tags                           then give dist/ to the package index (twine upload dist/*)"""


class Refusal(Exception):
    """Why no release can be prepared."""


def main() -> int:
    """Prepares the release that the command line names."""
    try:
        if len(sys.argv) != 2:
            raise Refusal("say which version: make release VERSION=1.2.3")
        prepare(ROOT, sys.argv[1], datetime.now(UTC).date())
    except Refusal as refusal:
        print(f"release: {refusal}", file=sys.stderr)
        return 1
    print(LEFT_TO_DO.format(version=sys.argv[1]))
    return 0


def prepare(root: Path, version: str, today: date) -> None:
    """Writes the version wherever it stands, or refuses and writes nothing."""
    project, changelog = root / "pyproject.toml", root / "CHANGELOG.md"
    new_project = with_version(project.read_text(encoding="utf-8"), version)
    new_changelog = with_section(changelog.read_text(encoding="utf-8"), version, today)
    keep_snapshot(root, version)
    project.write_text(new_project, encoding="utf-8")
    changelog.write_text(new_changelog, encoding="utf-8")


def with_version(project: str, version: str) -> str:
    """pyproject.toml with a later version than the one that it has."""
    found = STANDING.search(project)
    if found is None:
        raise Refusal("pyproject.toml has no line 'version = \"...\"'")
    if numbers(version) <= numbers(found["version"]):
        raise Refusal(f"{version} is not later than {found['version']}, which pyproject.toml has")
    return f'{project[: found.start()]}version = "{version}"{project[found.end() :]}'


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers that can be compared."""
    found = NUMBER.fullmatch(version)
    if found is None:
        raise Refusal(f"'{version}' is no version: three numbers, as in 1.2.3")
    return tuple(map(int, found.groups()))


def with_section(changelog: str, version: str, today: date) -> str:
    """The changelog with what was unreleased under the version and its day, and an empty place for what comes."""
    before, heading, after = changelog.partition(UNRELEASED)
    changes = after.partition("\n## [")[0]
    if not heading or not changes.strip():
        raise Refusal("CHANGELOG.md has nothing under [Unreleased]: there is nothing to release")
    return f"{before}{UNRELEASED}\n## [{version}] - {today.isoformat()}\n{after}"


def keep_snapshot(root: Path, version: str) -> None:
    """Keeps what the engine saves now: tests/snapshots holds later releases to restoring it."""
    surroundings = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, str(root / "tests/snapshots/keeping.py"), version]
    if subprocess.run(command, check=False, env=surroundings).returncode:
        raise Refusal("no snapshot could be kept: the lines above say why")


if __name__ == "__main__":
    sys.exit(main())
