"""Detections with the key that their events have in common: what reports count by."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NamedTuple

from tocsin.algebra.rules import Define, Program
from tocsin.engine.frames.texts import key_text
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.equalities import shown
from tocsin.planner.placement import KEY, placements, wishes

STYLE = TimeStyle(seconds=False)


class KeyedDetection(NamedTuple):
    """A detection and its key; its data are those that JSON knows."""

    detection: Detection
    key: str | None


class Telling:
    """A program whose rules tell their keys, those that select their data included."""

    def __init__(self, program: Program) -> None:
        spread = placements(program)
        self.names = {rule: name for placement in spread for rule, name in placement.key_names}
        changed = {rule.name: rule for placement in spread for rule in placement.program.rules}
        self.program = Program(
            tuple(
                replace(each, rule=changed.get(each.rule.name, each.rule)) if isinstance(each, Define) else each
                for each in program.statements
            )
        )


def told(one: Detection, telling: Telling, by: str | None) -> KeyedDetection:
    """A detection as it leaves the engine, with its key beside it; `by` is the attribute where a rule has no key."""
    value = one.data.get(telling.names.get(one.rule, KEY))
    if isinstance(value, list):
        value = value[0] if value else None
    data = json.loads(to_json(timely({name: each for name, each in one.data.items() if name != KEY}, STYLE)))
    if by is not None and one.rule not in telling.names:
        value = next((each for name, each in data.items() if is_called(name, by)), None)
        value = None if isinstance(value, list | dict) else value
    return KeyedDetection(replace(one, data=data), key_text(value))


def is_called(name: str, by: str) -> bool:
    """Whether a value in a detection's data is an attribute of this name: `host`, or `x.host`."""
    return name == by or name.endswith(f".{by}")


def key_attributes(program: Program) -> dict[str, str]:
    """For each rule that tells a key what it is called, as people read it: `host`, or `host/node` where it differs."""
    found: dict[str, str] = {}
    for wish in wishes(program):
        for rule in wish.rules:
            if wish.named is not None and not rule.actions:
                found[rule.name] = "/".join(dict.fromkeys(shown(name) for _, name in sorted(wish.key.items())))
    return found
