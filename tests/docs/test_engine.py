"""docs/engine.md: what it shows in Python can be run; imports on any page name what is there."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/engine.md").read_text(encoding="utf-8"), re.M | re.DOTALL)
IMPORT = re.compile(r"^\s*from (tocsin(?:\.\w+)*) import ([\w, ]+)$", re.MULTILINE)


def test_what_is_shown_can_be_run() -> None:
    """The blocks one after the other: later ones use what earlier ones import."""
    names: dict[str, object] = {}
    assert len(BLOCKS) > 2
    for block in BLOCKS:
        exec(compile(block, "docs/engine.md", "exec"), names)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.stem)
def test_what_a_page_imports_is_there(page: Path) -> None:
    for module, names in IMPORT.findall(page.read_text(encoding="utf-8")):
        for name in names.split(", "):
            bare = name.split(" as ")[0]
            home = import_module(module)
            # what needs a package that is not installed is promised by name
            is_promised = bare in getattr(home, "__all__", ())
            is_there = is_promised or hasattr(home, bare) or find_spec(f"{module}.{bare}") is not None
            assert is_there, f"from {module} import {name}"
