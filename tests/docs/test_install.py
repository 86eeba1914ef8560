"""docs/install.md and the Dockerfile say what is so; what says that something is missing names an extra that has it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/install.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def missing() -> Iterator[tuple[str, str]]:
    """The libraries that some module may find missing, each with the extra that it names."""
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "MissingDependency":
                match node.args:
                    case [ast.Constant(value=str(library)), ast.Constant(value=str(extra))]:
                        yield library, extra


def test_what_is_missing_is_in_the_extra_that_is_named() -> None:
    found = set(missing())
    assert len(found) >= 8
    for library, extra in found:
        assert any(one.lower().startswith(library.lower()) for one in EXTRAS[extra]), (library, extra)


def test_the_page_has_every_extra() -> None:
    table = PAGE.partition("| extra | for |")[2].partition("\n\n")[0]
    told = re.findall(r"`([a-z]+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if "`" in line))
    assert sorted(told) == sorted(set(EXTRAS) - {"dev"})


def test_all_is_all() -> None:
    others = {one for name, some in EXTRAS.items() if name not in ("all", "dev") for one in some}
    assert set(EXTRAS["all"]) == others


@pytest.mark.parametrize("line", re.findall(r"^COPY (?!--from).*$", DOCKERFILE, re.MULTILINE))
def test_what_the_image_copies_is_there_and_sent(line: str) -> None:
    sent = {each[1:] for each in (ROOT / ".dockerignore").read_text().splitlines() if each.startswith("!")}
    for name in line.split()[1:-1]:
        assert (ROOT / name).exists()
        assert name.partition("/")[0] in sent


def test_the_image_does_not_run_as_root_and_can_be_asked() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9][0-9]*$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "gcc" not in last
    assert set(re.findall(r"ARG EXTRAS=(\S+)", DOCKERFILE)[0].split(",")) <= set(EXTRAS)
