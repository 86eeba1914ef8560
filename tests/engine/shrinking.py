"""A failing example made smaller, and written as a script that shows the failure by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from math import inf

from tests.engine.strategies import Example
from tocsin.algebra.guards import Guard, operands
from tocsin.algebra.patterns import Absence, Pattern, Where, children
from tocsin.algebra.rules import BEST_EFFORT, Define, Program, Rule
from tocsin.events import Event


def shrunk(example: Example, fails: Callable[[Example], bool], most: int = 600) -> Example:
    """The smallest example found, one step after the other, that still fails."""
    tried = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(example):
            tried += 1
            if tried > most:
                return example
            if fails(smaller):
                example, progress = smaller, True
                break
    return example


def _smaller(example: Example) -> Iterator[Example]:
    log, statements = example.log, example.program.statements
    for size in (len(log) // 2, 1):
        for place in range(0, len(log) if size else 0, size or 1):
            yield replace(example, log=log[:place] + log[place + size :])
    for place, statement in enumerate(statements):
        kept = statements[:place] + statements[place + 1 :]
        if not isinstance(statement, Define):
            yield replace(example, program=Program(kept))
            continue
        name = statement.rule.name
        rest = tuple(s for s in kept if getattr(getattr(s, "action", s), "rule", None) != name)
        yield replace(example, program=Program(rest))
        for rule in _smaller_rules(statement.rule):
            made = Program((*statements[:place], Define(rule), *statements[place + 1 :]))
            yield replace(example, program=made)
    if example.order != BEST_EFFORT:
        yield replace(example, order=BEST_EFFORT)
    if example.ignore_late:
        yield replace(example, ignore_late=False)
    if example.granularity is not None:
        yield replace(example, granularity=None)
    if example.until is not None:
        yield replace(example, until=None)
    for place, one in enumerate(log):
        if isinstance(one, Event):
            for key in one.data:
                data = {name: value for name, value in one.data.items() if name != key}
                yield replace(example, log=(*log[:place], replace(one, data=data), *log[place + 1 :]))
            if one.start < one.end:
                yield replace(example, log=(*log[:place], replace(one, start=one.end), *log[place + 1 :]))


def _smaller_rules(rule: Rule) -> Iterator[Rule]:
    for name, plain in (("window", None), ("condition", None), ("select", ()), ("actions", ()), ("strict", False)):
        if getattr(rule, name) != plain:
            yield replace(rule, **{name: plain})
    if len(rule.actions) > 1:
        for place in range(len(rule.actions)):
            yield replace(rule, actions=rule.actions[:place] + rule.actions[place + 1 :])
    for pattern in _smaller_patterns(rule.pattern):
        yield replace(rule, pattern=pattern)


def _smaller_patterns(pattern: Pattern) -> Iterator[Pattern]:
    yield from children(pattern)
    if isinstance(pattern, Absence) and pattern.guard is not None:
        yield replace(pattern, guard=None)
    if isinstance(pattern, Where | Absence) and pattern.guard is not None:
        for guard in _smaller_guards(pattern.guard):
            yield replace(pattern, guard=guard)
    parts = getattr(pattern, "parts", ())
    if len(parts) > 2:
        for place in range(len(parts)):
            yield replace(pattern, parts=parts[:place] + parts[place + 1 :])  # type: ignore[call-arg]  # it has parts
    for f in fields(pattern):
        value = getattr(pattern, f.name)
        if isinstance(value, Pattern):
            for smaller in _smaller_patterns(value):
                yield replace(pattern, **{f.name: smaller})
    for place, part in enumerate(parts):
        for smaller in _smaller_patterns(part):
            yield replace(pattern, parts=(*parts[:place], smaller, *parts[place + 1 :]))  # type: ignore[call-arg]  # it has parts


def _smaller_guards(guard: Guard) -> Iterator[Guard]:
    yield from operands(guard)


# -- as a script -----------------------------------------------------------------------------------------------------

SCRIPT = '''"""{title}

{told}
"""
from math import inf, nan

from tocsin import events
from tocsin.algebra import guards, patterns, rules
from tocsin.algebra.replay import replay
from tocsin.runtime.logs import detections
from tocsin.time import periods, points

program = {program}
log = {log}
options = {{"order": {order}, "until": {until}, "ignore_late": {ignore_late}, "granularity": {granularity}}}
should = list(replay(program, log, **options))
found = list(detections(program, log, batch={batch}, **options))
print("meaning:", *should, "engine:", *found, sep="\\n  ")
assert list(map(repr, should)) == list(map(repr, found))
'''


def script(example: Example, title: str, told: str) -> str:
    """A script that shows how the engine differs on an example."""
    return SCRIPT.format(
        title=title,
        told=told.replace("\\", "/"),
        program=written(example.program),
        log=written(list(example.log)),
        order=written(example.order),
        until=example.until,
        ignore_late=example.ignore_late,
        granularity=example.granularity,
        batch=example.batch,
    )


def written(value: object) -> str:
    """A value as Python: data of the algebra under the names of their modules."""
    if isinstance(value, Enum):
        return f"{_module(value)}.{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        shown = [f for f in fields(value) if f.init and f.name not in ("span", "number")]
        arguments = ", ".join(f"{f.name}={written(getattr(value, f.name))}" for f in shown if not _is_default(value, f))
        return f"{_module(value)}.{type(value).__name__}({arguments})"
    if isinstance(value, tuple | list):
        inside = ", ".join(map(written, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, float) and value in (inf, -inf):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _module(value: object) -> str:
    return type(value).__module__.rpartition(".")[2]


def _is_default(value: object, f: object) -> bool:
    default = getattr(f, "default", None)
    found = getattr(value, getattr(f, "name", ""))
    return type(found) is type(default) and bool(found == default)
