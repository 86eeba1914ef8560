"""Every fault and every doubt of a file of rules, each at its place in that file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tocsin.algebra.rules import Load
from tocsin.assistants.editor.outlines import outline
from tocsin.assistants.editor.rule_texts import is_rules
from tocsin.assistants.fault_records import fault_records
from tocsin.assistants.limits import MOST_TEXT
from tocsin.errors import Fault, Place, Source, TextError, UsageError
from tocsin.languages import gem
from tocsin.rules.loader import READERS
from tocsin.session import Session


def diagnose(text: str, file: str) -> dict[str, Any]:
    """The faults of a file, and its outline; a file that holds no rules has none."""
    if not is_rules(text, file):
        return {"faults": [], "outline": outline("", file)}
    if len(text) > MOST_TEXT:
        large = f"this file is not looked at: it has more than {MOST_TEXT:,} characters"
        return {
            "faults": fault_records([_at_top(Fault(large, severity="warning"), file)]),
            "outline": outline("", file),
        }
    return {"faults": fault_records(list(_faults(text, file))), "outline": outline(text, file)}


def _faults(text: str, file: str) -> Iterator[Fault]:
    path = Path(file)
    try:
        session = Session(READERS[path.suffix.lower()](text, path))
        found = session.doubts
    except TextError as error:
        found = list(error.faults)
    except UsageError as error:
        found = [Fault(str(error))]
    for fault in found:
        if fault.place is None:
            yield _at_top(fault, file)
        elif fault.place.file == file:
            yield fault
        else:
            yield _of_other(fault, text, file)


def _at_top(fault: Fault, file: str) -> Fault:
    return replace(fault, place=Place(file, 1, 1))


def _of_other(fault: Fault, text: str, file: str) -> Fault:
    """A fault of a file that this one loads, told where it is loaded."""
    place = fault.place
    assert place is not None
    message = f"{place.file}:{place.line}:{place.column}: {fault.message}"
    source = Source(text, file)
    try:
        loads = [each for each in gem.parse_script(source) if isinstance(each, Load)]
    except TextError:
        loads = []
    same = [each for each in loads if Path(file).parent / each.path == Path(place.file)]
    for each in (*same, *loads):
        return source.place(replace(fault, message=message, span=each.span, place=None))
    return _at_top(replace(fault, message=message), file)
