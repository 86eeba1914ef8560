"""Answers for people and programs: as text, as plain JSON values, as a table in a notebook, as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tocsin.algebra.occurrence import TIMER, Occurrence
from tocsin.algebra.values import Missing
from tocsin.events import Event, Moment
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.reasons.answers import Told
from tocsin.reasons.records import (
    ABSENCE,
    CONSUMPTION,
    ENABLED,
    MISSING,
    ORDER,
    WINDOW,
    Answer,
    Constituent,
    Fired,
    Miss,
    Verdict,
)
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import SECOND, Period, human_period

MOST_BROKEN = 3
"""Events that broke one constraint that are named in text."""

_QUIET = (ENABLED, CONSUMPTION)
"""Constraints that nobody asks about while they are met."""


class Why:
    """What is to be said about the rules of a run. `str` is the text, `to_dict` plain JSON values, `svg` a picture.

    >>> import tocsin as tc
    >>> rule = tc.rule("pair", "x:a ; y:b", condition="x.host == y.host")
    >>> events = [
    ...     {"id": "1", "type": "a", "time": 1, "data": {"host": "n1"}},
    ...     {"id": "2", "type": "b", "time": 2, "data": {"host": "n2"}},
    ... ]
    >>> miss = tc.why(rule, events).answers[0].misses[0]
    >>> miss.events, [(each.kind, each.text) for each in miss.failed]
    (('1', '2'), [('guard', 'x.host == y.host')])
    """

    def __init__(self, told: Told, style: TimeStyle) -> None:
        self.answers, self.events, self.detections = told.answers, told.events, told.detections
        self._style = style

    def __getitem__(self, rule: str) -> Answer:
        """The answer about one rule."""
        for answer in self.answers:
            if answer.rule == rule:
                return answer
        raise KeyError(rule)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def __repr__(self) -> str:
        counts = (f"{a.rule} fired {a.detections:,}, {len(a.misses)} misses told" for a in self.answers)
        return f"<Why: {'; '.join(counts)}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        for number, answer in enumerate(self.answers):
            if number:
                yield ""
            yield from _Writing(self._style).answer(answer)

    def to_dict(self) -> dict[str, object]:
        """All of it as plain JSON values, with times as `tocsin detect` writes them."""
        return {"rules": [_Data(self._style).answer(answer) for answer in self.answers]}

    def to_json(self) -> str:
        """The same as one JSON object."""
        return to_json(self.to_dict())

    def svg(self, title: str = "") -> str:
        """A timeline: events in lanes by source, detections and misses below, each joined to its events."""
        from tocsin.reasons.picture import draw

        return draw(self, self._style, title)

    def _repr_html_(self) -> str:
        rows = []
        for answer in self.answers:
            for kind, one in [("fired", each) for each in answer.fired] + [("missed", each) for each in answer.misses]:
                writing = _Writing(self._style)
                told = one.met if isinstance(one, Fired) else one.failed
                said = "<br>".join(
                    escape(writing.verdict(each)) for each in told if isinstance(one, Miss) or _is_told(each)
                )
                made_of = escape(", ".join(writing.constituent(each) for each in one.constituents))
                rows.append(f"<tr><td>{escape(answer.rule)}</td><td>{kind}</td><td>{made_of}</td><td>{said}</td></tr>")
        head = "".join(f"<th>{name}</th>" for name in ("rule", "", "events", "because"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


# -- text ----------------------------------------------------------------------------------------------------------


def _is_told(verdict: Verdict) -> bool:
    return verdict.kind not in _QUIET


class _Writing:
    """Writes answers for people."""

    def __init__(self, style: TimeStyle) -> None:
        self._style = style

    def answer(self, answer: Answer) -> Iterator[str]:
        times = "once" if answer.detections == 1 else f"{answer.detections:,} times"
        fired = f"fired {times}" if answer.detections else "did not fire"
        yield f"rule {answer.rule} ({answer.context}): {fired}"
        yield f"  {answer.pattern}"
        yield from (f"  note: {remark}" for remark in answer.remarks)
        for one in answer.fired:
            yield from self.fired(one)
        for number, miss in enumerate(answer.misses, 1):
            yield from self.miss(miss, number)
        is_searched = answer.tried > 0 or not answer.cut
        if not answer.fired and not answer.misses and is_searched:
            yield "  no candidate was missed" if answer.detections else "  nothing came near it"
        if answer.cut and is_searched:
            yield f"  the search was cut after {answer.tried:,} combinations: nearer misses may exist"

    def fired(self, one: Fired) -> Iterator[str]:
        name = f" {one.detection.id}" if one.detection is not None else ""
        later = "" if one.detected == one.time else f", detected at {self._style.text(one.detected)}"
        yield f"  fired at {self._style.text(one.time)}{later}{name}"
        yield from (f"    {self.constituent(each)}" for each in one.constituents)
        yield from (f"    met     {self.verdict(each)}" for each in one.met if _is_told(each))
        for each in one.late:
            yield f"    late    {self.verdict(each)}: it came after the rule had fired"

    def miss(self, miss: Miss, number: int) -> Iterator[str]:
        count = len(miss.failed)
        when = "" if miss.time is None else f", complete at {self._style.text(miss.time)}"
        yield f"  miss {number}: {count} constraint{'s' * (count != 1)} failed{when}"
        yield from (f"    {self.constituent(each)}" for each in miss.constituents)
        yield from (f"    FAILED  {self.verdict(each)}" for each in miss.failed)
        yield from (f"    met     {self.verdict(each)}" for each in miss.met if _is_told(each))

    def constituent(self, one: Constituent) -> str:
        asks = "" if one.name == one.asks else f":{one.asks}"
        if one.event is None:
            return f"{one.name}{asks} = nothing"
        return f"{one.name}{asks} = {self._event(one.event)}"

    def _event(self, event: Event) -> str:
        """An event: its id, time and source, and when it came if that was later."""
        if event.type == TIMER:
            return f"the clock at {self._style.text(event.end)}"
        when = self._style.text(event.end)
        if event.start != event.end:
            when = f"{self._style.text(event.start)} to {when}"
        source = f" from {event.source}" if event.source else ""
        late = f", came at {self._style.text(event.arrival)}" if event.arrival > event.end else ""
        made = f", made of {', '.join(each.id for each in event.events)}" if event.events else ""
        return f"{event.id or event.type} at {when}{source}{late}{made}"

    def verdict(self, one: Verdict) -> str:
        text = f"{one.kind}: {one.text}"
        if one.values:
            text += f", where {', '.join(f'{name} = {self._value(value)}' for name, value in one.values)}"
        if one.events and one.kind != MISSING:
            named = "; ".join(self._event(event) for event in one.events[:MOST_BROKEN])
            more = f" and {len(one.events) - MOST_BROKEN} more" if len(one.events) > MOST_BROKEN else ""
            text += f": {'broken by ' if one.kind == ABSENCE else ''}{named}{more}"
        if one.by is not None:
            text += f", {_BY.get(one.kind, 'by')} {_span(one.by)}"
        if one.note and one.kind != MISSING:
            text += f" ({one.note}{f': detection {one.firing}' if one.firing else ''})"
        elif one.note:
            text += f" ({one.note})"
        return text

    def _value(self, value: object) -> str:
        return str(shown(value, self._style))


_BY = {WINDOW: "beyond it by", ORDER: "off by", "clock": "ahead by"}


def _span(microseconds: int) -> str:
    return human_period(Period.of(microseconds=microseconds)) if microseconds else "nothing: both at one instant"


def shown(value: object, style: TimeStyle) -> object:
    """A guard's value as people and JSON have it."""
    match value:
        case Missing():
            return "nothing"
        case Occurrence():
            return "+".join(event.id or event.type for event in value.primitives)
        case Moment(microseconds=instant):
            return style.text(instant)
        case Period():
            return human_period(value)
        case TimePoint():
            return str(value)
        case list() | tuple():
            return [shown(each, style) for each in value]
        case str():
            return to_json(value)
    return to_json(timely(value, style))


# -- plain values --------------------------------------------------------------------------------------------------


class _Data:
    """Answers as plain JSON values."""

    def __init__(self, style: TimeStyle) -> None:
        self._style, self._writing = style, _Writing(style)

    def answer(self, one: Answer) -> dict[str, object]:
        return {
            "rule": one.rule,
            "pattern": one.pattern,
            "context": one.context,
            "detections": one.detections,
            "remarks": list(one.remarks),
            "fired": [self._fired(each) for each in one.fired],
            "misses": [self._miss(each) for each in one.misses],
            "tried": one.tried,
            "cut": one.cut,
        }

    def _fired(self, one: Fired) -> dict[str, object]:
        return {
            "id": None if one.detection is None else one.detection.id,
            "start": self._time(one.start),
            "time": self._time(one.time),
            "detected": self._time(one.detected),
            "constituents": [self._constituent(each) for each in one.constituents],
            "met": [self._verdict(each) for each in one.met],
            "late": [self._verdict(each) for each in one.late],
        }

    def _miss(self, one: Miss) -> dict[str, object]:
        return {
            "distance": one.distance,
            "time": self._time(one.time),
            "constituents": [self._constituent(each) for each in one.constituents],
            "failed": [self._verdict(each) for each in one.failed],
            "met": [self._verdict(each) for each in one.met],
        }

    def _constituent(self, one: Constituent) -> dict[str, object]:
        return {"name": one.name, "asks": one.asks, "event": None if one.event is None else self._event(one.event)}

    def _event(self, event: Event) -> dict[str, object]:
        made = {"id": event.id, "type": "timer" if event.type == TIMER else event.type, "source": event.source}
        times = {"time": self._time(event.end), "arrival": self._time(event.arrival)}
        return {**made, **times, **({"events": [each.id for each in event.events]} if event.events else {})}

    def _verdict(self, one: Verdict) -> dict[str, object]:
        made: dict[str, object] = {"kind": one.kind, "text": one.text, "holds": one.holds}
        if one.values:
            made["values"] = {name: _plain(value, self._style) for name, value in one.values}
        if one.events:
            made["events"] = [event.id for event in one.events]
        if one.by is not None:
            made["by"] = one.by / SECOND
        if one.moves:
            made["moves"] = [{"event": event.id, "by": span / SECOND} for event, span in one.moves]
        if one.firing is not None:
            made["detection"] = one.firing
        if one.note:
            made["note"] = one.note
        return made

    def _time(self, instant: int | None) -> object:
        if instant is None:
            return None
        return instant / SECOND if self._style.seconds else self._style.text(instant)


def _plain(value: object, style: TimeStyle) -> object:
    """A guard's value as JSON has it: null where there is none."""
    if isinstance(value, Missing):
        return None
    if isinstance(value, Occurrence | TimePoint):
        return shown(value, style)
    if isinstance(value, list | tuple):
        return [_plain(each, style) for each in value]
    return timely(value, style)
