"""What is built where nothing but the build's own requirements is installed is compiled.

There mypyc stops at an import that mypy does not find, and what is installed is plain Python: it works, and nobody sees
why it is slow. `make check-wheel` tries it; this tells at once.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from setup import compiled_files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BROUGHT = {"librt": "librt==", "mypy_extensions": "mypy=="}
"""What may be imported, and the requirement of the build that brings it."""


def imported(path: Path) -> Iterator[str]:
    """The packages that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module.partition(".")[0]


def test_the_build_has_all_that_compiled_modules_import() -> None:
    overrides = PROJECT["tool"]["mypy"]["overrides"]
    ignored = [one for each in overrides if each.get("ignore_missing_imports") for one in each["module"]]
    found = {one for path in compiled_files() for one in imported(ROOT / path)} - sys.stdlib_module_names - {"tocsin"}
    assert "librt" in found
    required = PROJECT["build-system"]["requires"]
    for one in found:
        is_there = any(each.startswith(BROUGHT.get(one, "?")) for each in required)
        assert is_there or any(fnmatch(f"{one}.", pattern) for pattern in ignored), one
