"""Test files (`NAME.test.yaml`): read as a whole, with every fault shown where it was typed.

rules: network.gem            # beside this file; a list of files; or rules, as in a rules file
order: delay:5 s              # options hold for all cases, or stand in one
cases:
  - name: a link that stays down is reported
    given: |
      d1: 0   link_down link=core-1 building=B1
      10      link_up   link=core-2 building=B1
    expect:
      - {rule: link_dead, events: [d1], time: 120}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Final, TypeVar

import yaml

from tocsin.algebra.rules import Order, Program
from tocsin.errors import Fault, Place, TextError, UsageError, choices, nearest
from tocsin.events import Arrival, Event
from tocsin.formats import TimeStyle
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import READERS, load_files, read_text
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.testing.cases import Case, CaseFile
from tocsin.testing.discovery import stem
from tocsin.testing.expectations import NOT_SAID, expected_of
from tocsin.testing.given import arrivals_of
from tocsin.testing.marked import Marked, Path, Wrong
from tocsin.testing.settings import OPTIONS, Settings
from tocsin.time.spans import SECOND, Period

Made = TypeVar("Made")

TOP: Final = ("rules", *OPTIONS, "cases")
KEYS: Final = ("name", "rules", "given", *OPTIONS, "only", "expect", "error")
EXPECTED: Final = "rules: a file of rules, and cases: a list of cases"


def read_cases(path: FilePath) -> CaseFile:
    """The cases of a test file, or every fault of it."""
    text = read_text(path)
    return FileReader(text, path).file()


class FileReader:
    """One test file."""

    def __init__(self, text: str, path: FilePath) -> None:
        self.text, self.path = text, path
        self.marked = Marked(text, str(path), EXPECTED)
        self._programs: dict[int, tuple[Program, tuple[str, ...]]] = {}

    def file(self) -> CaseFile:
        """All cases; a fault in one does not hide those of the others."""
        try:
            shared, cases = self._top()
        except Wrong as wrong:
            raise self.marked.error(wrong) from None
        found: list[Case] = []
        faults: list[Fault] = []
        names: set[str] = set()
        for number, fields in enumerate(cases):
            path: Path = ("cases", number)
            try:
                case = self._case(fields, shared, path)
                if case.name in names:
                    raise Wrong((*path, "name"), f"there is a case '{case.name}' already", "a name of its own")
                names.add(case.name)
                found.append(case)
            except Wrong as wrong:
                faults += self.marked.error(wrong).faults
            except TextError as error:
                faults += [fault for fault in error.faults if fault not in faults]
        if faults:
            raise TextError(faults)
        return CaseFile(str(self.path), self.text, tuple(found))

    def _top(self) -> tuple[Mapping[str, object], list[object]]:
        fields = _fields(self.marked.value, (), TOP, "a test file is a mapping")
        cases = fields.get("cases")
        if not isinstance(cases, list):
            raise Wrong(("cases",) if "cases" in fields else (), "'cases' must be a list", "- name: ...")
        return fields, cases

    def _case(self, value: object, shared: Mapping[str, object], path: Path) -> Case:
        fields = _fields(value, path, KEYS, "a case is a mapping")
        name = fields.get("name")
        if not isinstance(name, str | int | float) or not str(name).strip():
            raise Wrong((*path, "name") if "name" in fields else path, "a case has a name", "name: ...")
        place = _place(self.marked, (*path, "name"))
        asked = Settings(fields, path, shared)
        error = asked.text("error")
        try:
            program, files = self._program(fields, path)
            options = asked.options()
            Session(program, options)
        except (TextError, UsageError) as refused:
            if error is None and isinstance(refused, UsageError):
                raise Wrong((*path, "name"), str(refused)) from None
            if error is None:
                raise
            return Case(
                str(name), place, Program(), Options(), (), TimeStyle(), expected_of(None, ()),
                runtimes=asked.runtimes(), error=error, refusal=str(refused),
            )  # fmt: skip
        style = TimeStyle()
        given = _at((*path, "given"), lambda: self._given(fields.get("given"), program, style))
        rules = [rule.name for rule in program.rules if not rule.hidden]
        expected = _at((*path, "expect"), lambda: expected_of(fields.get("expect", NOT_SAID), rules))
        case = Case(
            str(name), place, program, options, tuple(given), style, expected, files, asked.flags(),
            asked.delay(), asked.only(rules), asked.runtimes(), error,
        )  # fmt: skip
        return _declared_late(case, asked, path)

    def _given(self, value: object, program: Program, style: TimeStyle) -> list[Arrival]:
        return arrivals_of(value, self.path.parent, style, conformer(program.declarations))

    def _program(self, fields: Mapping[str, object], path: Path) -> tuple[Program, tuple[str, ...]]:
        """The rules of a case, or those of the file; loaded once."""
        where: Path = (*path, "rules") if "rules" in fields else ("rules",)
        node = self.marked.node(where)
        if id(node) not in self._programs:
            value = fields["rules"] if "rules" in fields else self._shared_rules()
            self._programs[id(node)] = self._loaded(value, node, where)
        return self._programs[id(node)]

    def _shared_rules(self) -> object:
        assert isinstance(self.marked.value, dict)
        if "rules" in self.marked.value:
            return self.marked.value["rules"]
        beside = rules_beside(self.path)
        if not beside:
            name = stem(self.path.name)
            raise Wrong((), f"no rules are named, and no rules file '{name}.*' stands beside this", "rules: FILE")
        return beside

    def _loaded(self, value: object, node: yaml.Node, where: Path) -> tuple[Program, tuple[str, ...]]:
        are_rules = isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
        if are_rules and isinstance(node, yaml.SequenceNode):
            return self.marked.reader.program_of(list(node.value)), ()
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or not all(isinstance(each, str) for each in names):
            raise Wrong(where, "'rules' are files of rules, or rules", "FILE, [FILE, ...] or [{name: ...}, ...]")
        files = tuple(str(self.path.parent / name) for name in names)
        try:
            return load_files(files), files
        except UsageError as error:
            raise Wrong(where, str(error)) from None


def lateness(case: Case) -> dict[int, int]:
    """How late each event comes as it was given, by its place; those that are punctual are left out."""
    late: dict[int, int] = {}
    for place, event in enumerate(case.given):
        if isinstance(event, Event) and event.arrival > event.end:
            late[place] = event.arrival - event.end
    return late


def _declared_late(case: Case, asked: Settings, path: Path) -> Case:
    """A case that says how late events may be: the order is declared accordingly, and the events keep to it."""
    if case.delay is None:
        return case
    for place, late in lateness(case).items():
        if late > case.delay:
            event = case.given[place]
            assert isinstance(event, Event)
            raise Wrong(
                (*path, "given"),
                f"event '{event.id}' comes {late / SECOND:g} s late, which is more than within_delay",
                hint="give it an arrival of its own, or let events be later",
            )
    if asked.text("order") is None:
        declared = Order("delay", delay=Period.of(microseconds=case.delay))
        return replace(case, options=replace(case.options, order=declared))
    return case


def rules_beside(path: FilePath) -> list[str]:
    """The rules files of the same name beside a test file."""
    name = stem(path.name)
    return [name + suffix for suffix in READERS if (path.parent / (name + suffix)).is_file()]


def _fields(value: object, path: Path, known: tuple[str, ...], what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Wrong(path, what, choices([f"{key}:" for key in known[:3]], "and"))
    for key in value:
        if key not in known:
            raise Wrong(path, f"there is no setting '{key}'", choices(known), nearest(key, known), key=key)
    return value


def _at(path: Path, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except Wrong as wrong:
        raise wrong.under(path) from None


def _place(marked: Marked, path: Path) -> Place:
    mark = marked.node(path).start_mark
    return marked.reader.place_at(mark.line, mark.column)
