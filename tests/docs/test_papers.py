"""docs/papers.md against the project: every file and test it names exists, every row is settled, no shape is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path

import yaml

from tocsin.algebra import patterns

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")

CONSTRUCTS = ["section", "what", "spelling", "file", "test"]
RULINGS = ["where", "what is open", "ruling", "test"]
MISPRINTS = ["where", "what is wrong", "ruling", "test"]
SECTIONS = [
    "000: EPS",
    "001: CORE",
    "002: GLOBAL",
    "003: GEM",
    "004: SEL",
    "Where the papers are silent, contradict themselves or are misprinted",
]
NONE = "-"
CODE = re.compile(r"`([^`]+)`")
WAITS = re.compile(r"waits for (the service|sites)\b")


@dataclass(frozen=True)
class Row:
    """A row of a table: the line it stands on, the headings above it, its cells."""

    line: int
    heads: list[str]
    cells: list[str]

    def cell(self, head: str) -> str:
        return self.cells[self.heads.index(head)]

    @property
    def tests(self) -> list[str]:
        return [code for code in CODE.findall(self.cell("test")) if "::" in code]

    @property
    def files(self) -> list[str]:
        return CODE.findall(self.cell("file")) if "file" in self.heads else []


def rows(text: str) -> Iterator[Row]:
    """Every row of every table; a `\\|` inside a cell is a `|` of its text."""
    heads: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not heads:
            heads = cells
        elif set(cells) != {"---"}:
            yield Row(number, heads, cells)


ROWS = list(rows(TEXT))
CHECKED = [row for row in ROWS if row.heads in (CONSTRUCTS, RULINGS, MISPRINTS)]


@cache
def names_in(path: Path) -> frozenset[str]:
    """The test functions of a module, or the cases of a file of cases."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".yaml":
        return frozenset(str(case["name"]) for case in yaml.safe_load(text)["cases"])
    return frozenset(re.findall(r"^\s*def (test_\w+)\(", text, re.MULTILINE))


def exists(test: str) -> bool:
    """Whether `path::name`, below tests/, is a test or a case."""
    path, _, name = test.partition("::")
    file = ROOT / "tests" / path
    return file.is_file() and name in names_in(file)


def is_settled(row: Row) -> bool:
    """Tested, or waiting for something that is named; where nothing is built there may be nothing to run."""
    if row.tests:
        return "file" not in row.heads or bool(row.files)
    if WAITS.search(row.cell("test")):
        return True
    return "file" in row.heads and row.cell("file") == NONE and row.cell("test") == "nothing to run"


def test_every_paper_has_its_section() -> None:
    assert re.findall(r"^## (.+)$", TEXT, re.MULTILINE) == SECTIONS
    assert len(CHECKED) > 300
    assert len(ROWS) - len(CHECKED) == len(SECTIONS) - 1  # the table of the papers themselves


def test_a_row_has_a_cell_for_every_heading() -> None:
    assert [row.line for row in ROWS if len(row.cells) != len(row.heads) or not all(row.cells)] == []


def test_every_test_named_exists() -> None:
    assert [(row.line, name) for row in CHECKED for name in row.tests if not exists(name)] == []


def test_every_file_named_exists() -> None:
    files = [(row.line, name) for row in CHECKED for name in row.files]
    assert [(line, name) for line, name in files if not (ROOT / "src" / "tocsin" / name).is_file()] == []
    named = re.findall(r"`(tests/[\w./]+)`", TEXT)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_row_is_tested_or_says_what_it_waits_for() -> None:
    assert [row.line for row in CHECKED if not is_settled(row)] == []


def test_every_shape_is_mentioned() -> None:
    """Every class of tocsin.algebra.patterns that a pattern can be built of stands in some spelling."""
    abstract = (patterns.Pattern, patterns.EventSet)
    shapes = [
        name
        for name, value in vars(patterns).items()
        if isinstance(value, type) and is_dataclass(value) and issubclass(value, abstract) and value not in abstract
    ]
    assert {"Primitive", "Sequence", "Automaton", "Everything"} <= set(shapes)
    spelt = " ".join(code for row in CHECKED if "spelling" in row.heads for code in CODE.findall(row.cell("spelling")))
    assert [name for name in shapes if not re.search(rf"\b{name}\b", spelt)] == []


def test_what_does_not_exist_is_noticed() -> None:
    table = "| section | what | spelling | file | test |\n| --- | --- | --- | --- | --- |\n"
    good = next(rows(table + "| 1 | x | `a \\| b` | `api.py` | `cases/eps.yaml::fig6-recent` |"))
    assert (good.cell("spelling"), good.files, is_settled(good)) == ("`a | b`", ["api.py"], True)
    assert all(map(exists, good.tests))
    assert not exists("cases/eps.yaml::fig6-recently")
    assert not exists("docs/test_papers.py::test_nothing")
    assert not exists("docs/nowhere.py::test_x")
    for cells in ("`api.py` | -", "- | nothing", "- | waits for step 9", "- | `cases/eps.yaml::fig6-recent`"):
        assert not is_settled(next(rows(f"{table}| 1 | x | - | {cells} |")))
