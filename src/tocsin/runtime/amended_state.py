"""What amending rules keep, as bytes, and back: the states to go back to, the events since, what was reported.

A line names the format and its version; then a checksum and compressed JSON, as in `engine/state/snapshot.py`: the
states are what that makes.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b85decode, b85encode
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from tocsin.algebra.amendments import Positioned
from tocsin.algebra.event_records import plain, valued, whole_event, whole_record
from tocsin.algebra.identity import former_rule_key, rule_key
from tocsin.algebra.notes import COUNTERS, Notes
from tocsin.algebra.rules import Rule
from tocsin.errors import SnapshotError
from tocsin.events import Detection
from tocsin.runtime.rewinder import Leg, Rewinder

if TYPE_CHECKING:
    from tocsin.runtime.amended import Amended, Group

MAGIC: Final = b"tocsin amending snapshot 2\n"
FORMER_MAGIC: Final = b"tocsin amending snapshot 1\n"
"""Those snapshots know rules by the texts that Python prints."""


def amended_snapshot(amending: Amended) -> bytes:
    """All that amending rules keep, to be given to `amended_restore`."""
    course = amending.course
    state = {
        "course": [course.within, course.clock, course.taken, course.too_late, course.final],
        "ignored": dict(amending.ignored),
        "groups": [_group(group) for group in amending.groups],
    }
    body = zlib.compress(json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode(), 1)
    return MAGIC + hashlib.sha256(body).digest() + body


def amended_restore(amending: Amended, data: bytes) -> None:
    """Puts rules that have seen nothing yet into a saved state, which must be of the same rules."""
    if amending.course.clock is not None:
        raise SnapshotError("events have been taken already: restore into new rules")
    if not data.startswith((MAGIC, FORMER_MAGIC)):
        raise SnapshotError("this is no snapshot of rules that amend")
    check, body = data[len(MAGIC) : len(MAGIC) + 32], data[len(MAGIC) + 32 :]
    if hashlib.sha256(body).digest() != check:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong")
    state = json.loads(zlib.decompress(body))
    key = rule_key if data.startswith(MAGIC) else former_rule_key
    if [group["rules"] for group in state["groups"]] != [_keys(group, key) for group in amending.groups]:
        raise SnapshotError("the snapshot is of other rules: rules that amend go on with the same ones")
    course = amending.course
    course.within, course.clock, course.taken, course.too_late, course.final = state["course"]
    amending.ignored.update(state["ignored"])
    for group, saved in zip(amending.groups, state["groups"], strict=True):
        for number, each in saved["shards"]:
            _put_back(amending.shard(group, number), each)
            amending.note_due(group, number)


def _keys(group: Group, key: Callable[[Rule], str]) -> list[str]:
    return [key(rule) for rule in group.rules]


def _group(group: Group) -> dict[str, Any]:
    shards = [[number, _shard(shard)] for number, shard in group.shards.items()]
    return {"rules": _keys(group, rule_key), "shards": shards}


def _shard(shard: Rewinder) -> dict[str, Any]:
    return {
        "clock": shard.clock,
        "counts": [shard.late, shard.rerun, shard.spacing],
        "ahead": [_placed(each) for each in sorted(shard.ahead, key=lambda placed: placed[:2])],
        "gone": [[*key, time] for key, time in shard.gone.items()],
        "legs": [_leg(leg) for leg in shard.legs],
        "now": _leg(shard.here()),
    }


def _put_back(shard: Rewinder, saved: dict[str, Any]) -> None:
    shard.clock = saved["clock"]
    shard.late, shard.rerun, shard.spacing = saved["counts"]
    shard.ahead = [_read_placed(each) for each in saved["ahead"]]  # sorted, and so a heap
    shard.gone = {(name, text, said): time for name, text, said, time in saved["gone"]}
    shard.go_to(_read_leg(saved["now"]))
    shard.legs = [_read_leg(leg) for leg in saved["legs"]]


def _leg(leg: Leg) -> dict[str, Any]:
    notes = {name: getattr(leg.notes, name) for name in _NOTES}
    return {
        "begun": leg.begun,
        "state": None if leg.state is None else b85encode(leg.state).decode(),
        "notes": {name: list(value) if isinstance(value, list) else dict(value) for name, value in notes.items()},
        "arrivals": leg.notes.arrivals,
        "events": [_placed(each) for each in leg.events],
        "made": [_made(one) for one in leg.made],
    }


def _read_leg(saved: dict[str, Any]) -> Leg:
    notes = Notes(arrivals=saved["arrivals"])
    for name in _NOTES:
        value = saved["notes"].get(name, {})  # a count that came later is not in what was saved before
        setattr(notes, name, value if isinstance(value, list) else Counter(value))
    state = None if saved["state"] is None else b85decode(saved["state"])
    events, made = [_read_placed(each) for each in saved["events"]], [_read_made(one) for one in saved["made"]]
    return Leg(saved["begun"], state, notes, events, made)


def _placed(placed: Positioned) -> list[Any]:
    return [placed.at, placed.number, whole_record(placed.event)]


def _read_placed(saved: list[Any]) -> Positioned:
    return Positioned(saved[0], saved[1], whole_event(saved[2]))


def _made(one: Detection) -> list[Any]:
    return [plain(getattr(one, name)) for name in _DETECTION]


def _read_made(saved: list[Any]) -> Detection:
    values = dict(zip(_DETECTION, saved, strict=False))  # a field that came later has its default
    values |= {name: valued(values[name]) for name in ("data", "stamp")}
    values |= {name: tuple(values[name]) for name in ("events", "tags") if name in values}
    return Detection(**values)


_NOTES: Final = ("warnings", *COUNTERS)
_DETECTION: Final = tuple(each.name for each in fields(Detection) if each.compare)
