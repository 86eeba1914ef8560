"""Loading rules: files and expressions become one program, checked as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tocsin.algebra.rules import Load, Program, Rule, Statement
from tocsin.errors import Fault, Place, RuleError, Source, TextError, UsageError, choices
from tocsin.languages import eps, gem
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.definitions import Written, read_expression, statements_of
from tocsin.rules.documents import read_document
from tocsin.rules.sigma import read_sigma
from tocsin.rules.sigma_documents import looks_like_sigma

CONSOLE = "<console>"
"""What stands for the file where commands were typed."""

MOST_LOADED = 100
"""Files one script may load, directly and by detours. Each may load others twice, and those others twice again ..."""


TESTS = (".test.yaml", ".test.yml", "_test.yaml", "_test.yml")
"""How the names of test files end that stand beside rules."""


def load_files(paths: Iterable[str]) -> Program:
    """One program of all files and of those in directories, in the order given; or the faults of all of them."""
    statements: list[Statement] = []
    faults: list[Fault] = []
    for path in chain.from_iterable(map(_files_in, paths)):
        try:
            statements += load_file(path).statements
        except TextError as error:
            faults += error.faults
    if faults:
        raise RuleError(faults)
    return Program(tuple(statements))


def _files_in(given: str) -> list[Path]:
    """A path as it is; of a directory the rules files in it, and in those inside."""
    path = Path(given)
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.rglob("*") if is_rules_file(each) and each.is_file())
    if not found:
        raise UsageError(f"there are no rules files in '{path}': rules are in {_extensions()}")
    return found


def is_rules_file(path: Path) -> bool:
    """Whether a file in a directory is one of rules: not hidden, nor tests of them."""
    return path.suffix.lower() in READERS and not path.name.endswith(TESTS) and not path.name.startswith(".")


def _extensions() -> str:
    return choices([f"*{suffix}" for suffix in READERS])


def load_file(path: Path) -> Program:
    """The program of one rules file, by its extension."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise UsageError(f"'{path}' is not a rules file: rules are in {_extensions()}")
    text = read_text(path)
    return reader(text, path)


def read_text(path: Path) -> str:
    """A rules file's text; one that cannot be read or is not UTF-8 is an error with its place."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror or error}") from None
    except ValueError:
        raise UsageError(f"cannot read {str(path)!r}: that is not a file name") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        place = Place(str(path), before.count(b"\n") + 1, column)
        raise RuleError(Fault(f"this is not UTF-8: byte 0x{data[error.start]:02x}", place=place)) from None


def load_text(text: str, name: str = CONSOLE) -> Program:
    """The commands of a GEM text that somebody typed; what they load is sought from the working directory."""
    return _load_gem(text, Path(name))


def load_expression(text: str, language: str, condition: str | None = None, name: str = "rule") -> Program:
    """One rule from an expression, enabled."""
    source = Source(text)
    try:
        definitions, pattern, suppress = read_expression(source, language)
    except TextError as error:
        raise error.located(source) from None
    guard = None
    if condition is not None:
        where = Source(condition, "<condition>")
        try:
            guard = parse_guard_text(where, language)
        except TextError as error:
            raise error.located(where) from None
    rule = Rule(name, pattern, language, condition=guard, suppress=suppress, span=pattern.span)
    return Program(tuple(statements_of([Written(rule, definitions)])))


def _load_gem(text: str, path: Path) -> Program:
    return _script(text, path, gem.parse_script, _Loading((path.resolve(),), []))


def _load_eps(text: str, path: Path) -> Program:
    return _script(text, path, eps.parse_document, _Loading((path.resolve(),), []))


def _load_yaml(text: str, path: Path) -> Program:
    return read_sigma(text, str(path)) if looks_like_sigma(text) else read_document(text, str(path))


class _Loading(NamedTuple):
    """The files that are being loaded, each by the one before it, and all that have been."""

    chain: tuple[Path, ...]
    all: list[Path]


def _script(text: str, path: Path, parse_text: Callable[[Source], tuple[Statement, ...]], loading: _Loading) -> Program:
    source = Source(text, str(path))
    try:
        statements = parse_text(source)
    except TextError as error:
        raise error.located(source) from None
    program = Program()
    for statement in statements:
        if isinstance(statement, Load):
            program += _loaded(statement, path, source, loading)
        else:
            program += Program((statement,))
    return program


def _loaded(statement: Load, path: Path, source: Source, loading: _Loading) -> Program:
    """`load "file"`: the file's commands in place of the command, relative to the script that loads it.

    It is read as a GEM script, unless its name says that it is a rules file of another kind.
    """
    target = path.parent / statement.path
    try:
        real = target.resolve()
        if real in loading.chain:
            raise UsageError(f"cannot load '{statement.path}': it is being loaded already")
        if len(loading.all) >= MOST_LOADED:
            raise UsageError(f"cannot load '{statement.path}': {MOST_LOADED} files are loaded already")
        text = read_text(target)
    except UsageError as error:
        raise RuleError(source.place(Fault(str(error), statement.span))) from None
    except (ValueError, RuntimeError):  # a NUL in the name; a link that leads to itself
        raise RuleError(source.place(Fault("cannot load this: it is not a file name", statement.span))) from None
    loading.all.append(real)
    suffix = target.suffix.lower()
    if suffix in (".yaml", ".yml"):
        return read_document(text, str(target))
    parse_text = eps.parse_document if suffix == ".eps" else gem.parse_script
    return _script(text, target, parse_text, _Loading((*loading.chain, real), loading.all))


READERS: dict[str, Callable[[str, Path], Program]] = {
    ".gem": _load_gem,
    ".eps": _load_eps,
    ".yaml": _load_yaml,
    ".yml": _load_yaml,
}
"""How each kind of rules file is read."""
