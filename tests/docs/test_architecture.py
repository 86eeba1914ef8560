"""The map of the code against the code: every module, folder and name that pages and packages speak of is there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "tocsin"
PAGE = ROOT / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PACKAGES = sorted(path.parent for path in SOURCES.rglob("__init__.py"))

FENCE = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
MODULE = re.compile(r"[a-z_][a-z0-9_]*")
PATH = re.compile(r"[a-z_][a-z0-9_]*(/[a-z_][a-z0-9_]*)+(\.py)?|[a-z_][a-z0-9_]*\.py")


@cache
def modules() -> frozenset[str]:
    """Every module and package as a path below `src/tocsin`, without an extension."""
    files = {path.relative_to(SOURCES).with_suffix("").as_posix() for path in SOURCES.rglob("*.py")}
    return frozenset(files | {path.relative_to(SOURCES).as_posix() for path in PACKAGES})


@cache
def defined() -> frozenset[str]:
    """Every class, function and name of a module, a class or a field in the sources."""
    texts = [path.read_text(encoding="utf-8") for path in [*SOURCES.rglob("*.py"), ROOT / "setup.py"]]
    return frozenset(
        found for text in texts for found in re.findall(r"^\s*(?:class |def )?(\w+)(?=[(:\[]| =)", text, re.M)
    )


def is_module(name: str) -> bool:
    """Whether a name is a module's or a package's, with or without what stands above it."""
    bare = name.removesuffix(".py")
    return any(each == bare or each.endswith(f"/{bare}") for each in modules())


def is_there(name: str) -> bool:
    """Whether a path is there: a module, or a file or folder of the project."""
    return is_module(name) or (ROOT / name).exists()


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    lines = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    lost = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "://" in link or link.startswith("mailto:"):
            continue
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in headings(target)):
            lost.append(link)
    assert lost == []


def test_every_module_that_the_page_names_is_there() -> None:
    named = [code for code in CODE.findall(FENCE.sub("", TEXT)) if PATH.fullmatch(code)]
    assert len(named) > 40
    assert [name for name in named if not is_there(name)] == []


def test_every_word_of_code_on_the_page_is_a_module_or_a_name() -> None:
    words = {code for code in CODE.findall(FENCE.sub("", TEXT)) if re.fullmatch(r"\w+", code)}
    assert {word for word in words if not is_there(word) and word not in defined()} == set()


def tables() -> Iterator[tuple[str, list[str]]]:
    """The head of each table's first column, and the names in that column."""
    for table in re.findall(r"(?:^\|.*\n)+", TEXT, re.MULTILINE):
        first = [re.split(r"(?<!\\)\|", line)[1].strip() for line in table.splitlines()]
        yield first[0], [code for cell in first[2:] for code in CODE.findall(cell)]


@pytest.mark.parametrize(("head", "names"), list(tables()), ids=lambda each: each if isinstance(each, str) else "")
def test_a_table_names_what_is_in_its_folder(head: str, names: list[str]) -> None:
    folder = "".join(f"{code}/" for code in CODE.findall(head))
    assert [name for name in names if f"{folder}{name.removesuffix('.py')}" not in modules()] == []


def test_every_module_of_algebra_and_spark_has_its_row() -> None:
    for head, names in tables():
        if head in ("file of `algebra`", "file of `spark`"):
            (folder,) = CODE.findall(head)
            there = {path.stem for path in (SOURCES / folder).glob("*.py")} - {"__init__"}
            above = set(re.findall(rf"\b{folder}/(\w+)\.py", TEXT))  # those that are read first
            assert there - set(names) - above - {"rules"} == set()


def test_every_package_has_its_row() -> None:
    """A new package is told of where people look for it, and stands in a layer."""
    (names,) = [names for head, names in tables() if head == "package"]
    there = {path.stem if path.suffix else path.name for path in SOURCES.iterdir() if is_source(path)}
    assert there - set(names) == set(), "docs/architecture.md, 'The packages', does not tell of these"
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = [each["layers"] for each in contracts if each["type"] == "layers"]
    assert sorted(name for layer in layers for name in layer.split(" | ")) == sorted(names)


def is_source(path: Path) -> bool:
    """Whether a path is a module or a package that one may import by its name."""
    return (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.relative_to(SOURCES.parent).as_posix())
def test_a_package_lists_modules_that_it_has(package: Path) -> None:
    """A package's docstring may list its modules, with two blanks before what each is."""
    text = (package / "__init__.py").read_text(encoding="utf-8").split('"""')[1]
    for name in listed(text):
        assert (package / f"{name}.py").exists() or (package / name / "__init__.py").exists(), name


def listed(docstring: str) -> list[str]:
    """The modules that the lines of a docstring list, with two blanks behind them: `one   what it is`, `two, three   what they are`."""
    found: list[str] = []
    for line in docstring.splitlines()[1:]:
        for cell in re.split(r" {2,}", line.strip())[:-1]:
            words = [word for word in cell.split(", ") if word != "..."]
            if all(map(MODULE.fullmatch, words)):
                found += words
    return found


def test_what_a_docstring_lists_is_understood() -> None:
    text = "Events.\n\none     what it is, what it does      two, three, ...   what they are\n\nEvents.  They come."
    assert listed(text) == ["one", "two", "three"]


def test_no_docstring_speaks_of_a_path_that_is_not_there() -> None:
    files = [file for folder in ("src", "tests", "tools", "demo") for file in (ROOT / folder).rglob("*.py")]
    named = [(file, code) for file in files for code in re.findall(r"`([a-z_0-9/]+\.py)`", file.read_text("utf-8"))]
    assert len(named) > 20
    lost = [pair for pair in named if not is_there(pair[1]) and not (pair[0].parent / pair[1]).exists()]
    assert lost == []
