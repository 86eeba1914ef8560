"""Loading rules: files and expressions become one program, checked as a whole."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from tocsin.algebra.rules import Load, Program, Rule, Statement
from tocsin.errors import Fault, Place, RuleError, Source, TextError, UsageError, choices
from tocsin.languages import eps, gem
from tocsin.languages.borrowed import advised
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.definitions import Written, read_expression, statements_of
from tocsin.rules.documents import read_document
from tocsin.rules.sigma import read_sigma
from tocsin.rules.sigma_documents import looks_like_sigma
from tocsin.rules.sigma_pipelines import NO_PIPELINE, Pipeline, looks_like_pipeline, read_pipeline, together

CONSOLE = "<console>"
"""What stands for the file where commands were typed."""

MOST_LOADED = 100
"""Files one script may load, directly and by detours. Each may load others twice, and those others twice again ..."""


YAML = (".yaml", ".yml")
TESTS = (".test.yaml", ".test.yml", "_test.yaml", "_test.yml")
"""How the names of test files end that stand beside rules."""


def load_files(paths: Iterable[str]) -> Program:
    """One program of all files and of those in directories, in the order given; or the faults of all of them."""
    statements: list[Statement] = []
    faults: list[Fault] = []
    files = list(chain.from_iterable(map(_files_in, paths)))
    try:
        pipeline = together(map(_pipeline_of, files))
    except TextError as error:
        pipeline, faults = NO_PIPELINE, list(error.faults)
        files = [path for path in files if str(path) != (faults[0].place.file if faults[0].place else "")]
    for path in files:
        try:
            statements += load_file(path, pipeline).statements
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


def _pipeline_of(path: Path) -> Pipeline:
    """What a file says of the fields of Sigma rules: nothing, unless it is a pipeline."""
    if path.suffix.lower() not in YAML:
        return NO_PIPELINE
    text = read_text(path)
    return read_pipeline(text, str(path)) if looks_like_pipeline(text) else NO_PIPELINE


def load_file(path: Path, pipeline: Pipeline = NO_PIPELINE) -> Program:
    """The program of one rules file, by its extension; of Sigma, with its fields called as a pipeline says."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise UsageError(f"'{path}' is not a rules file: rules are in {_extensions()}")
    text = read_text(path)
    if pipeline != NO_PIPELINE and path.suffix.lower() in YAML and looks_like_sigma(text):
        return read_sigma(text, str(path), pipeline)
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


def load_scripts(text: str, name: str, scripts: Mapping[str, str]) -> Program:
    """The commands of a GEM text that came from elsewhere. What it loads are the scripts that came along, by their
    names, relative to that of the script that loads them: no file is looked at."""
    path, given = Path(name), _Given(scripts)
    return _script(text, path, gem.parse_script, _Loading((given.identity(path),), [], given))


def loaded_scripts(text: str, name: str, read: Callable[[str, str], str | None]) -> dict[str, str]:
    """The scripts that a GEM text loads, and those that they load, by name: what has to come along for `load_scripts`.

    `read` gives the text of a script by its name and by what stands in the command; None where it knows none. What
    cannot be parsed loads nothing: whoever loads it is told what is wrong.
    """
    found: dict[str, str] = {}
    ahead = [(text, name)]
    while ahead and len(found) < MOST_LOADED:
        text, name = ahead.pop()
        for path in _named_in(text, name):
            joined = script_name(path, name)
            script = None if joined in found else read(joined, path)
            if script is not None:
                found[joined] = script
                ahead.append((script, joined))
    return found


def _named_in(text: str, name: str) -> list[str]:
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in (".yaml", ".yml"):
        return []
    parse_text = eps.parse_document if suffix == ".eps" else gem.parse_script
    try:
        return [each.path for each in parse_text(Source(text, name)) if isinstance(each, Load)]
    except TextError:
        return []


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
    return _script(text, path, gem.parse_script, _Loading((path.resolve(),), [], _FILES))


def _load_eps(text: str, path: Path) -> Program:
    return _script(text, path, eps.parse_document, _Loading((path.resolve(),), [], _FILES))


def _load_yaml(text: str, path: Path) -> Program:
    if looks_like_pipeline(text):
        read_pipeline(text, str(path))  # it has no rules; what is wrong with it is told
        return Program()
    return read_sigma(text, str(path)) if looks_like_sigma(text) else read_document(text, str(path))


class _Source(Protocol):
    """Where the scripts are that others load."""

    def identity(self, path: Path) -> Path:
        """The same for every way to name a script."""

    def read(self, path: Path) -> str:
        """The text of a script, or why there is none."""


class _Files:
    """Scripts that are files."""

    def identity(self, path: Path) -> Path:
        return path.resolve()

    def read(self, path: Path) -> str:
        return read_text(path)


class _Given:
    """Scripts that came along with the text that loads them."""

    def __init__(self, scripts: Mapping[str, str]) -> None:
        self._scripts = {script_name(name): text for name, text in scripts.items()}

    def identity(self, path: Path) -> Path:
        return Path(script_name(str(path)))

    def read(self, path: Path) -> str:
        text = self._scripts.get(script_name(str(path)))
        if text is None:
            known = choices([f"'{name}'" for name in self._scripts])
            raise UsageError(f"there is no script '{path}' here{f': {known}' if known else ''}")
        return text


_FILES = _Files()


def script_name(path: str, beside: str = "") -> str:
    """A script's name in its plainest form; relative to that of the script that loads it, if one does."""
    return posixpath.normpath(str(PurePosixPath(beside).parent / path))


class _Loading(NamedTuple):
    """The scripts that are being loaded, each by the one before it, and all that have been; where they are."""

    chain: tuple[Path, ...]
    all: list[Path]
    source: _Source


def _script(text: str, path: Path, parse_text: Callable[[Source], tuple[Statement, ...]], loading: _Loading) -> Program:
    source = Source(text, str(path))
    try:
        statements = parse_text(source)
    except TextError as error:
        language = "eps" if parse_text is eps.parse_document else "gem"
        raise advised(error.located(source), text, language) from None
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
        real = loading.source.identity(target)
        if real in loading.chain:
            raise UsageError(f"cannot load '{statement.path}': it is being loaded already")
        if len(loading.all) >= MOST_LOADED:
            raise UsageError(f"cannot load '{statement.path}': {MOST_LOADED} files are loaded already")
        text = loading.source.read(target)
    except UsageError as error:
        raise RuleError(source.place(Fault(str(error), statement.span))) from None
    except (ValueError, RuntimeError):  # a NUL in the name; a link that leads to itself
        raise RuleError(source.place(Fault("cannot load this: it is not a file name", statement.span))) from None
    loading.all.append(real)
    suffix = target.suffix.lower()
    if suffix in (".yaml", ".yml"):
        return read_document(text, str(target))
    parse_text = eps.parse_document if suffix == ".eps" else gem.parse_script
    return _script(text, target, parse_text, _Loading((*loading.chain, real), loading.all, loading.source))


READERS: dict[str, Callable[[str, Path], Program]] = {
    ".gem": _load_gem,
    ".eps": _load_eps,
    ".yaml": _load_yaml,
    ".yml": _load_yaml,
}
"""How each kind of rules file is read."""
