"""Finding test files: `NAME.test.yaml` and `NAME_test.yaml`, beside the rules they test."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tocsin.errors import UsageError

ENDINGS: Final = (".test.yaml", ".test.yml", "_test.yaml", "_test.yml")
SKIPPED: Final = ("node_modules", "__pycache__", "build", "venv")


def is_test_file(name: str) -> bool:
    """Whether a file of this name holds tests."""
    return name.endswith(ENDINGS)


def stem(name: str) -> str:
    """The name of a test file without what makes it one."""
    return next((name.removesuffix(ending) for ending in ENDINGS if name.endswith(ending)), name)


def discovered(paths: Iterable[str]) -> list[Path]:
    """The test files that are named, and those under the directories that are; each once."""
    found: dict[Path, None] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found.update(dict.fromkeys(_under(path)))
        elif path.is_file():
            found.update(dict.fromkeys(_of_file(path)))
        else:
            raise UsageError(f"there is no '{name}' to look for tests in")
    return list(found)


def _of_file(path: Path) -> list[Path]:
    """The file itself; or the tests beside it, if it is a rules file."""
    beside = [path.with_name(path.stem + ending) for ending in ENDINGS]
    tests = [] if is_test_file(path.name) else [each for each in beside if each.is_file()]
    if not tests and path.suffix not in (".yaml", ".yml"):
        raise UsageError(f"'{path}' is no test file, and there is no '{beside[0].name}' beside it")
    return tests or [path]


def _under(folder: Path) -> Iterator[Path]:
    """The test files of a directory and those in it, but not of hidden ones or those that tools fill."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        for name in sorted(files):
            if is_test_file(name):
                yield Path(place) / name
