"""Rules and events as an assistant gives them: as texts, or as files in folders that were opened to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from tocsin.algebra.rules import Load, Program, Statement
from tocsin.assistants.limits import MOST_EVENTS_TEXT, MOST_TEXT
from tocsin.errors import Fault, RuleError, Source, TextError, UsageError, choices
from tocsin.formats import Arrivals, TimeStyle, read_events
from tocsin.languages import eps, gem
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import READERS, load_expression, read_text
from tocsin.rules.options import context_of, granularity_of, order_of, run_of, window_of
from tocsin.runtime.options import Options

_SCRIPTS: Final[dict[str, Callable[[Source], tuple[Statement, ...]]]] = {
    ".gem": gem.parse_script,
    ".eps": eps.parse_document,
}


@dataclass(frozen=True)
class GivenRules:
    """Rules: an expression in a language, the text of a rules file, files, or all of these together."""

    expression: str | None = None
    language: str | None = None
    condition: str | None = None
    text: str | None = None
    kind: str = "yaml"
    """What kind of rules file `text` is: yaml, gem or eps."""
    files: Sequence[str] = ()
    folders: Sequence[str] = ()
    """Files are read from these folders alone."""
    options: dict[str, str] = field(default_factory=dict)
    """`context`, `window`, `order`, `time_model`, `run`: for rules without their own."""

    def program(self) -> Program:
        """The program, or the faults of all its parts."""
        parts = [partial(self._of_file, name) for name in self.files]
        if self.text is not None:
            text = limited(self.text, MOST_TEXT, "rules")
            parts.append(partial(program_of, text, f".{self.kind}", f"<rules.{self.kind}>"))
        if self.expression is not None:
            if self.language is None:
                raise UsageError("an expression needs its language: core, eps, gem, global, pretty, python or sel")
            expression = limited(self.expression, MOST_TEXT, "an expression")
            parts.append(partial(load_expression, expression, self.language, self.condition))
        if not parts:
            raise UsageError("no rules are given: give an expression and its language, a rules file's text, or files")
        return _together(parts)

    def asked(self) -> Options:
        """The options as the command line has them."""
        given = {key: value for key, value in self.options.items() if value is not None}
        return Options(
            context=context_of(given["context"]) if "context" in given else None,
            window=window_of(given["window"]) if "window" in given else None,
            order=order_of(given.get("order", "best-effort")),
            granularity=granularity_of(given.get("time_model", "point")),
            run=run_of(given["run"]) if "run" in given else None,
        )

    def _of_file(self, name: str) -> Program:
        path = opened(name, self.folders)
        return program_of(limited(read_text(path), MOST_TEXT, name), path.suffix.lower(), str(path))


def _together(made: Sequence[Callable[[], Program]]) -> Program:
    program, faults = Program(), list[Fault]()
    for make in made:
        try:
            program += make()
        except TextError as error:
            faults += error.faults
    if faults:
        raise RuleError(faults)
    return program


def program_of(text: str, suffix: str, name: str) -> Program:
    """The program of a rules file's text. It may load no other file: nobody has named that one."""
    reader = READERS.get(suffix)
    if reader is None:
        raise UsageError(f"'{name}' is not a rules file: rules are in {choices([f'*{each}' for each in READERS])}")
    if suffix in _SCRIPTS:
        source = Source(text, name)
        try:
            statements = _SCRIPTS[suffix](source)
        except TextError as error:
            raise error.located(source) from None
        hint = "give the rules of that file, too"
        loads = [
            Fault("no other file is loaded here", each.span, hint=hint) for each in statements if isinstance(each, Load)
        ]
        if loads:
            raise RuleError([source.place(fault) for fault in loads])
    return reader(text, Path(name))


def given_events(
    events: object, files: Sequence[str], folders: Sequence[str], program: Program
) -> tuple[Arrivals, TimeStyle]:
    """The events in order of arrival, and how their times are written."""
    style, declared = TimeStyle(), program.declarations
    if (events is None) == (not files):
        raise UsageError("give events, or files of events: one of the two")
    source: BytesIO | list[str] = [str(opened(name, folders)) for name in files]
    if events is not None:
        source = BytesIO(events_text(events))
    form = "jsonl" if events is not None else None
    attributes = {name: [attribute for attribute, _ in each.attributes] for name, each in declared.items()}
    return read_events(source, form, declared=attributes, style=style, conform=conformer(declared)), style


def events_text(events: object) -> bytes:
    """Events as JSON Lines, however they are given: as such a text, or as a list of objects."""
    if isinstance(events, list):
        events = "".join(json.dumps(each) + "\n" for each in events)
    if not isinstance(events, str):
        raise UsageError("events are a list of objects, or a text with one JSON object a line")
    return limited(events, MOST_EVENTS_TEXT, "events").encode("utf-8", "surrogatepass")


def opened(name: str, folders: Sequence[str]) -> Path:
    """The path of a file that may be read: one that lies, links followed, in one of the folders."""
    if not folders:
        raise UsageError(f"'{name}' is not read: no folder is opened to assistants (tocsin mcp --folder DIR)")
    try:
        path = Path(folders[0], name).resolve()
        inside = any(path.is_relative_to(Path(folder).resolve()) for folder in folders)
    except (ValueError, RuntimeError, OSError):  # a NUL in the name; a link that leads to itself
        raise UsageError(f"{name!r} is not a file name") from None
    if not inside:
        raise UsageError(
            f"'{name}' is not read: it lies outside of {choices(list(folders))}, which is what is opened here"
        )
    if not path.is_file():
        raise UsageError(f"there is no file '{name}' in {choices(list(folders))}")
    return path


def limited(text: str, most: int, what: str) -> str:
    """A text that is not too long."""
    if len(text) > most:
        raise UsageError(f"{what}: {len(text):,} characters are too many for one question; at most {most:,}")
    return text
