"""What a case expects, as it is written: nothing, a number, or detections; for all rules together or rule by rule.

expect: none
expect: 3
expect: [[1, 3], {rule: hot, time: 12.5, data: {room: FE02}}]
expect: {hot: [{events: [1, 3]}], cold: none, windy: 2}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tocsin.errors import choices, nearest
from tocsin.formats.instants import to_instant
from tocsin.formats.refused import Refused, shown
from tocsin.testing.cases import Expected, Wanted
from tocsin.testing.marked import Path, Wrong

FIELDS: Final = ("rule", "type", "events", "start", "time", "detected", "data", "notification", "source", "stamp", "id")
TIMES: Final = ("start", "time", "detected")
TEXTS: Final = ("rule", "type", "notification", "source", "id")
FORMS: Final = "none, a number, a list of detections, one of these for each rule, or update (see --update)"
DETECTION: Final = "a list of ids of events, or a mapping with any of " + ", ".join(FIELDS)
NOT_SAID: Final = "update"
"""What stands where nobody has said yet what is expected."""


def expected_of(value: object, rules: Iterable[str]) -> Expected:
    """What is expected of the rules with these names."""
    known = tuple(rules)
    if value == NOT_SAID:
        return Expected(is_open=True)
    number = _number(value)
    if number is not None:
        return Expected(counts={None: number} if number else {})
    if isinstance(value, Mapping):
        return _by_rule(value, known)
    if not isinstance(value, list | tuple):
        raise Wrong((), f"{shown(value)} is nothing that can be expected", FORMS)
    return Expected(tuple(_wanted(item, (place,), known) for place, item in enumerate(value)))


def _number(value: object) -> int | None:
    """How many, if that is all that is said."""
    if value is None or (isinstance(value, str) and value.lower() in ("none", "nothing")):
        return 0
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    if value < 0:
        raise Wrong((), "so many detections there cannot be", "a number from 0 on")
    return value


def _by_rule(value: Mapping[str, object], rules: tuple[str, ...]) -> Expected:
    wanted: list[Wanted] = []
    counts: dict[str | None, int] = {}
    for rule, each in value.items():
        _refuse_unknown(rule, rules, (), rule)
        number = _number(each)
        if number is not None:
            counts[rule] = number
            continue
        if not isinstance(each, list | tuple):
            raise Wrong((rule,), f"{shown(each)} is nothing that can be expected of a rule", "none, a number or a list")
        for place, item in enumerate(each):
            one = _wanted(item, (rule, place), rules)
            if one.rule not in (None, rule):
                raise Wrong((rule, place, "rule"), f"this stands among the detections of '{rule}'")
            wanted.append(Wanted({"rule": rule, **one.fields}))
    return Expected(tuple(wanted), counts)


def _wanted(item: object, path: Path, rules: tuple[str, ...]) -> Wanted:
    if isinstance(item, list | tuple):
        return Wanted({"events": _ids(item, path)})
    if not isinstance(item, Mapping):
        raise Wrong(path, f"{shown(item)} is no detection", DETECTION)
    for key in item:
        if key not in FIELDS:
            raise Wrong(path, f"a detection has no '{key}'", choices(FIELDS), nearest(str(key), FIELDS), key=str(key))
    if "rule" in item:
        _refuse_unknown(str(item["rule"]), rules, (*path, "rule"))
    return Wanted({key: _field(key, value, (*path, key)) for key, value in item.items()})


def _refuse_unknown(rule: str, rules: tuple[str, ...], path: Path, key: str = "") -> None:
    if rule not in rules:
        raise Wrong(path, f"there is no rule '{rule}'", choices(rules), nearest(rule, rules), key=key)


def _field(key: str, value: object, path: Path) -> object:
    if key == "events":
        if not isinstance(value, list | tuple):
            raise Wrong(path, "'events' are the ids of events", "[id, ...]")
        return _ids(value, path)
    if key in TIMES:
        try:
            return to_instant(value, key)
        except Refused as refused:
            raise Wrong(path, refused.reason, refused.expected, refused.hint) from None
    if key in ("data", "stamp"):
        if not isinstance(value, Mapping):
            raise Wrong(path, f"'{key}' is a mapping", "{name: value, ...}")
        return dict(value)
    if isinstance(value, list | Mapping):
        raise Wrong(path, f"'{key}' is a text")
    return None if value is None else str(value)


def _ids(items: Iterable[object], path: Path) -> tuple[str, ...]:
    found = []
    for place, item in enumerate(items):
        if isinstance(item, bool | list | Mapping) or item is None:
            raise Wrong((*path, place), f"{shown(item)} is no id of an event", "the id of an event")
        found.append(str(item))
    return tuple(found)
