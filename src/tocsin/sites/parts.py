"""What a site hosts: a part of a rule, or a rule, and the streams that it takes.

    filter   events of a type, as they are born at one site, perhaps only those that pass a test of their own
    join     a pattern that is necessary for a rule: passes on the events that take part in it, each once
    feeder   a rule that others use by name: passes on its composites
    rule     a rule as it is: its detections are told to whoever subscribed, or travel as composite events

A stream is what one part gives out. It is called by the part's key, which says what the part looks for and in what:
equal parts over equal streams are one, whoever asks for them, wherever they run. That of a filter names the site where
its events are born; what takes it from many sites is called the same however many there are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.event_records import plain, valued
from tocsin.algebra.rules import ALL_RULES, Command, Enable, Order, Program, Rule
from tocsin.planner.cuts import is_choosy
from tocsin.planner.durations import lasting
from tocsin.planner.shares import Share

EMPTY: Final = Program()
_KEY_DIGITS: Final = 16


TOLD: Final = "!"
"""Behind the key of a rule: the stream of what it tells, as detections. Without it: the composites, for other rules."""
GUARANTEED: Final = Order("guaranteed")


class Role(StrEnum):
    """What a part does."""

    FILTER = "filter"
    JOIN = "join"
    FEEDER = "feeder"
    RULE = "rule"


@dataclass(frozen=True)
class Part:
    """A part that can be hosted.

    `program`: what runs. `type`: of a filter, what it passes on. `blockers`: of a join, those of its rules whose events
    are only of use beside what it passes on. `inputs`: the streams it takes. `since`: events that ended by then do not
    count, since whoever asks came later. `attributes`: those that travel; None: all.
    """

    role: Role
    program: Program = EMPTY
    type: str = ""
    birthplace: str = ""
    inputs: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    attributes: tuple[str, ...] | None = None
    granularity: int | None = None
    since: int | None = None
    staying: tuple[str, ...] = ()
    """Of a filter: attributes that stay where the event was born; who has the event asks for them by its id."""
    limit: tuple[int, int] | None = None
    """Of a filter: so many events of a source in so many microseconds, and no more (001 section 5)."""
    scope: tuple[str, ...] = ()
    """The sites whose events it is about, where those are not all."""
    share: Share | None = None
    """Which share of events, or of what a part looks for, it is, where that is divided by a key."""
    key: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", self._named())

    def _named(self) -> str:
        if self.role is Role.FILTER and self == Part(Role.FILTER, type=self.type, birthplace=self.birthplace, key="-"):
            return f"{self.birthplace}/{self.type}"
        inputs = sorted({stream.split("/", 1)[-1] for stream in self.inputs})
        record = part_record(self) | {"inputs": inputs, "key": ""}
        text = json.dumps(record, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode()).hexdigest()[:_KEY_DIGITS]
        return f"{self.birthplace}/{self.type}/{digest}" if self.role is Role.FILTER else f"{self.role}/{digest}"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What runs."""
        return self.program.rules

    @property
    def running(self) -> tuple[Rule, ...]:
        """Those that run: others are defined only, so that what they make elsewhere is known as that."""
        actions = [each.action for each in self.program.statements if isinstance(each, Command)]
        actions += [each for rule in self.rules for each in rule.actions if isinstance(each, Enable)]
        enabled = {each.rule for each in actions}
        return tuple(rule for rule in self.rules if rule.name in enabled or ALL_RULES in enabled)

    @property
    def makes(self) -> str:
        """Of a feeder: the rule whose composites it passes on."""
        return next((rule.name for rule in self.rules if not rule.hidden), "") if self.role is Role.FEEDER else ""

    @property
    def is_cut_off(self) -> bool:
        """Whether it is a part of a rule that runs elsewhere."""
        return self.role in (Role.JOIN, Role.FEEDER)

    @cached_property
    def order(self) -> Order:
        """In which order its events are evaluated."""
        return next((rule.order for rule in self.rules if rule.order is not None), GUARANTEED)

    @cached_property
    def retention(self) -> int | None:
        """How long an event may matter, in microseconds; None if that is not known."""
        if self.role is Role.FILTER:
            return 0
        periods = [rule.window or lasting(rule) for rule in self.running]
        if any(period is None for period in periods):
            return None
        return max((period.length() for period in periods if period is not None), default=0)

    @property
    def is_sensitive(self) -> bool:
        """Whether it matters in which order events are taken, beyond their times: then late ones are put in place."""
        return any(is_choosy(rule) for rule in self.running)

    def taking(self, inputs: Iterable[str]) -> Part:
        """The same with more streams, under its name."""
        return replace(self, inputs=tuple(dict.fromkeys((*self.inputs, *inputs))), key=self.key)


def part_record(part: Part) -> dict[str, Any]:
    """A part as plain JSON values."""
    share = {} if part.share is None else {"share": list(part.share)}  # keys of parts that have none stay as they were
    return share | {
        "role": part.role.value,
        "program": plain(to_record(part.program)),
        "type": part.type,
        "birthplace": part.birthplace,
        "inputs": list(part.inputs),
        "blockers": list(part.blockers),
        "attributes": None if part.attributes is None else list(part.attributes),
        "granularity": part.granularity,
        "since": part.since,
        "staying": list(part.staying),
        "limit": None if part.limit is None else list(part.limit),
        "scope": list(part.scope),
        "key": part.key,
    }


def _share_of(told: Sequence[Any] | None) -> Share | None:
    return None if told is None else Share(str(told[0]), int(told[1]), int(told[2]))


def part_of(record: Mapping[str, Any]) -> Part:
    """What `part_record` wrote. Rules are read by their codec: nothing foreign is run."""
    attributes = record["attributes"]
    return Part(
        Role(record["role"]),
        from_record(valued(record["program"]), Program),
        str(record["type"]),
        str(record["birthplace"]),
        tuple(map(str, record["inputs"])),
        tuple(map(str, record["blockers"])),
        None if attributes is None else tuple(map(str, attributes)),
        record["granularity"],
        record["since"],
        tuple(map(str, record["staying"])),
        None if record["limit"] is None else (int(record["limit"][0]), int(record["limit"][1])),
        tuple(map(str, record["scope"])),
        _share_of(record.get("share")),
        str(record["key"]),
    )
