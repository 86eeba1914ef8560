"""The columns that rules read, held to those that there are: what is misspelt, and what no rule can compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import types as T

from tocsin.algebra.attributes import heads_of, is_path
from tocsin.algebra.guards import COMPARISONS, Attribute, Binary, Guard, Literal, walk
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import Primitive
from tocsin.algebra.patterns import walk as parts_of
from tocsin.algebra.rules import Program, Rule, Trigger
from tocsin.errors import UsageError, nearest
from tocsin.spark.attributes import compared_in, guards_read
from tocsin.spark.contents import NESTED

UNUSABLE: Final = ("BinaryType", "YearMonthIntervalType", "CalendarIntervalType")
"""What is no value to a rule."""


def is_usable(kind: Any) -> bool:
    """Whether rules can do something with values of a kind: nothing in it is one of UNUSABLE."""
    match kind:
        case T.StructType(fields=fields):
            return all(is_usable(field.dataType) for field in fields)
        case T.ArrayType(elementType=inner):
            return is_usable(inner)
        case T.MapType(keyType=key, valueType=inner):
            return is_usable(key) and is_usable(inner)
    return type(kind).__name__ not in UNUSABLE


@dataclass(frozen=True)
class Reading:
    """An attribute that a rule reads of an event; `is_compared`: as a whole, with something else."""

    rule: str
    name: str
    is_compared: bool


class Readings:
    """What the rules of a program read of events that have attributes of these kinds, and maybe more."""

    def __init__(self, program: Program, kinds: Mapping[str, Any], *, has_more: bool) -> None:
        self._kinds, self._has_more = kinds, has_more
        made = {name for rule in program.rules for name in _made(rule)}
        self._readings = [each for rule in program.rules for each in _readings(rule, made)]

    def spellings(self, columns: Mapping[str, Any]) -> dict[str, str]:
        """Columns that rules write in other letters, large or small: how they write them."""
        found: dict[str, str] = {}
        for each in self._readings:
            if each.name in self._kinds:
                continue
            alike = next((name for name in columns if name.lower() == each.name.lower()), None)
            if alike is None:
                continue
            if found.setdefault(alike, each.name) != each.name or any(one.name == alike for one in self._readings):
                raise UsageError(f"rules write the column {alike!r} in several ways ({each.name!r}): write it in one")
        return found

    def check(self, spelt: Mapping[str, str]) -> None:
        """Refuses what no event has, and what cannot be compared. `spelt`: columns by the rules' own spelling."""
        kinds = {spelt.get(name, name): kind for name, kind in self._kinds.items()}
        for each in self._readings:
            head = next((name for name in heads_of(each.name) if name in kinds), None)
            if head is None:
                if not self._has_more:
                    raise UsageError(_unknown(each, list(kinds)))
                continue
            kind = kinds[head]
            if not is_usable(kind):
                raise UsageError(
                    f"rule '{each.rule}' reads {head!r}, which holds {kind.simpleString()}: rules know texts, numbers,"
                    " true and false, times, and lists or structs of them; make it one of these, as with hex()"
                )
            if is_path(each.name) and head != each.name:
                _check_path(each, head, kind)
            elif each.is_compared and isinstance(kind, NESTED):
                raise UsageError(
                    f"rule '{each.rule}' compares {head!r}, which holds {_shortened(kind)}: that is equal to nothing;"
                    f" compare what is in it{_example(head, kind)}"
                )


def _check_path(each: Reading, head: str, kind: Any) -> None:
    """Refuses a path to what a struct has not."""
    at = head
    for step in each.name[len(head) :].lstrip(".").split("."):
        if not isinstance(kind, T.StructType) or "[" in step:
            return  # what a list or a map has is known when it is read
        parts = [field.name for field in kind.fields]
        if step not in parts:
            there = f"{', '.join(parts)}{hint(step, parts)}"
            raise UsageError(f"rule '{each.rule}' reads {each.name!r}, and {at!r} has {there}")
        at, kind = f"{at}.{step}", kind[step].dataType


def _unknown(each: Reading, known: list[str]) -> str:
    what = f"rule '{each.rule}' reads {each.name!r}, and there is no such column"
    if not known:
        return f"{what}: no column is an attribute"
    return f"{what}: those that are attributes are {', '.join(known)}{hint(each.name, known)}"


def hint(name: str, known: Sequence[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    found = nearest(name, known)
    return f"; {found}" if found else ""


def _example(head: str, kind: Any) -> str:
    return f", as {head}.{kind.fields[0].name}" if isinstance(kind, T.StructType) and kind.fields else ""


def _shortened(kind: Any) -> str:
    return {T.StructType: "a struct", T.ArrayType: "an array", T.MapType: "a map"}[type(kind)]


def _made(rule: Rule) -> set[str]:
    """The types of the events that a rule makes: they have other attributes than those that are read."""
    return {rule.name} | {action.type for action in rule.actions if isinstance(action, Trigger)}


def _readings(rule: Rule, made: set[str]) -> Iterator[Reading]:
    variables = bound(rule.pattern)

    def is_read(part: Attribute) -> bool:
        event = variables.get(part.variable)
        return isinstance(event, Primitive) and event.type not in made

    for guard in guards_read(rule):
        for part in walk(guard):
            if isinstance(part, Attribute) and is_read(part):
                yield Reading(rule.name, part.name, False)
            elif isinstance(part, Binary) and part.operator in COMPARISONS:
                for side, other in ((part.left, part.right), (part.right, part.left)):
                    if isinstance(side, Attribute) and is_read(side) and not _is_nothing(other):
                        yield Reading(rule.name, side.name, True)
    for inner in parts_of(rule.pattern):
        types = {each.type for each in parts_of(inner) if isinstance(each, Primitive)}
        for name in compared_in(inner) if types and not types & made else ():
            yield Reading(rule.name, name, True)


def _is_nothing(guard: Guard) -> bool:
    """Whether it is `null`: whatever is there can be compared with that."""
    return isinstance(guard, Literal) and guard.value is None
