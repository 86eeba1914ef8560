"""Loading rules: files and expressions become one program, checked as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tocsin.algebra.rules import Command, Define, Enable, Load, Program, Rule, Statement
from tocsin.errors import Fault, Place, RuleError, Source, TextError, UsageError, choices
from tocsin.languages import eps, gem, parse
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.documents import read_document

MOST_LOADED = 1_000
"""Files one program may load: more is a file that loads itself by detours."""


def load_files(paths: Iterable[str]) -> Program:
    """One program of all files, in the order given."""
    program = Program()
    for path in paths:
        program += load_file(Path(path))
    return program


def load_file(path: Path) -> Program:
    """The program of one rules file, by its extension."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = choices([f"*{suffix}" for suffix in READERS])
        raise UsageError(f"'{path}' is not a rules file: rules are in {known}")
    text = read_text(path)
    return reader(text, path)


def read_text(path: Path) -> str:
    """A rules file's text; one that cannot be read or is not UTF-8 is an error with its place."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror or error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        place = Place(str(path), before.count(b"\n") + 1, column)
        raise RuleError(Fault(f"this is not UTF-8: byte 0x{data[error.start]:02x}", place=place)) from None


def load_expression(text: str, language: str, condition: str | None = None, name: str = "rule") -> Program:
    """One rule from an expression, enabled."""
    source = Source(text)
    try:
        pattern = parse(source, language)
    except TextError as error:
        raise error.located(source) from None
    guard = None
    if condition is not None:
        where = Source(condition, "<condition>")
        try:
            guard = parse_guard_text(where)
        except TextError as error:
            raise error.located(where) from None
    rule = Rule(name, pattern, language, condition=guard, span=pattern.span)
    return Program((Define(rule), Command(Enable(name))))


def _load_gem(text: str, path: Path) -> Program:
    return _script(text, path, gem.parse_script, (path.resolve(),))


def _load_eps(text: str, path: Path) -> Program:
    return _script(text, path, eps.parse_document, (path.resolve(),))


def _load_yaml(text: str, path: Path) -> Program:
    return read_document(text, str(path))


def _script(
    text: str, path: Path, parse_text: Callable[[Source], tuple[Statement, ...]], loading: tuple[Path, ...]
) -> Program:
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


def _loaded(statement: Load, path: Path, source: Source, loading: tuple[Path, ...]) -> Program:
    """`load "file"`: the file's commands in place of the command, relative to the script that loads it."""
    target = (path.parent / statement.path).resolve() if "\0" not in statement.path else None
    if target is None or len(loading) > MOST_LOADED or target in loading:
        reason = "it is being loaded already" if target in loading else "that is not a file name"
        raise RuleError(source.place(Fault(f'cannot load "{statement.path}": {reason}', statement.span)))
    try:
        text = read_text(target)
    except UsageError as error:
        raise RuleError(source.place(Fault(str(error), statement.span))) from None
    return _script(text, path.parent / statement.path, gem.parse_script, (*loading, target))


READERS: dict[str, Callable[[str, Path], Program]] = {
    ".gem": _load_gem,
    ".eps": _load_eps,
    ".yaml": _load_yaml,
    ".yml": _load_yaml,
}
"""How each kind of rules file is read."""
