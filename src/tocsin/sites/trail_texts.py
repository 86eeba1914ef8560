"""A trail as people read it, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tocsin.sites.tables import lasting
from tocsin.sites.trails import Birth, Delay, Passage, Step, Trail, Way
from tocsin.time.instants import render_instant


def lines_of(trail: Trail) -> Iterator[str]:
    """The trail as a tree, the detection at its root."""
    one, step = trail.detection, trail.step
    yield f"detection {one['id']} of rule '{one['rule']}'"
    yield f"  happened  {render_instant(one['start_us'])} to {render_instant(one['time_us'])}"
    yield f"  detected  {render_instant(step.time)} at site '{step.site}', by its clock{_waited(step)}"
    for passage in trail.told:
        yield f"  told      at site '{passage.taker}', {shown_delay(passage.delay)} later"
    if trail.also:
        yield f"  and the same at {', '.join(trail.also)}"
    yield from _step(step, "", "")
    if trail.silent:
        yield f"  no answer from {', '.join(trail.silent)}: what happened there is missing"


def _step(step: Step, lead: str, below: str) -> Iterator[str]:
    rules = f" of {', '.join(step.rules)}" if step.rules else ""
    number = f", output {step.number}" if step.number else ""
    yield f"{lead}{step.role} {step.part}{rules} at {step.site}{number}"
    for stream, site in step.unheard:
        yield f"{below}? {stream} from {site}, which does not answer"
    for place, way in enumerate(step.ways):
        is_last = place == len(step.ways) - 1
        branch, under = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        yield from _way(way, step, below + branch, below + under)


def _way(way: Way, step: Step, lead: str, below: str) -> Iterator[str]:
    how = "" if way.passage is None else f"  [{_passage(way.passage, step)}]"
    if isinstance(way.of, Step):
        first, *rest = _step(way.of, lead, below)
        yield first + how
        yield from rest
        return
    yield lead + _birth(way.of) + how
    if way.of.staying:
        yield f"{below}  stays there: {', '.join(way.of.staying)}"


def _birth(birth: Birth) -> str:
    where = f"born at {birth.site}" if birth.site is not None else "born where nobody remembers"
    return f"{birth.type} {birth.source}/{birth.id}  {render_instant(birth.end)}  {where}"


def _passage(passage: Passage, step: Step) -> str:
    if passage.giver == passage.taker:
        hop = f"at {passage.giver}"
    elif passage.taken is None:
        hop = f"{passage.giver} -> {passage.taker}, nobody says when"
    else:
        hop = f"{passage.giver} -> {passage.taker}, {shown_delay(passage.delay)}"
    moved = f", from there with the part to {step.site}" if passage.taker != step.site else ""
    return f"{passage.stream} #{passage.number}, {hop}{moved}"


def _waited(step: Step) -> str:
    """How long what came last was here before the detection."""
    taken = [
        way.passage.taken
        for way in step.ways
        if way.passage is not None and way.passage.taken is not None and way.passage.taker == step.site
    ]
    return f", {lasting(step.time - max(taken))} after the last of it came" if taken else ""


def shown_delay(delay: Delay) -> str:
    """A delay with its error."""
    if delay.time is None:
        return "an unknown time"
    error = f" ± {lasting(delay.error)}" if delay.error else ""
    return f"{lasting(delay.time)}{error}"


def record_of(trail: Trail) -> dict[str, Any]:
    """The trail as plain JSON values. Times are microseconds, those of a site by its own clock."""
    return {
        "detection": dict(trail.detection),
        "trail": _step_record(trail.step),
        "told": [_passage_record(passage) for passage in trail.told],
        "also_at": list(trail.also),
        "silent": list(trail.silent),
    }


def _step_record(step: Step) -> dict[str, Any]:
    return {
        "part": step.part,
        "role": step.role,
        "rules": list(step.rules),
        "site": step.site,
        "time": step.time,
        "output": step.number,
        "detection": None if step.detection is None else step.detection["id"],
        "from": [_way_record(way) for way in step.ways],
        "unheard": [{"stream": stream, "site": site} for stream, site in step.unheard],
    }


def _way_record(way: Way) -> dict[str, Any]:
    of = {"event": _birth_record(way.of)} if isinstance(way.of, Birth) else _step_record(way.of)
    return of | {"by": None if way.passage is None else _passage_record(way.passage)}


def _birth_record(birth: Birth) -> dict[str, Any]:
    names = ("type", "source", "id", "end", "number", "site")
    return {name: getattr(birth, name) for name in names} | {"staying": list(birth.staying)}


def _passage_record(passage: Passage) -> dict[str, Any]:
    delay = {"delay": passage.delay.time, "error": passage.delay.error}
    names = ("stream", "number", "giver", "given", "taker", "taken")
    return {name: getattr(passage, name) for name in names} | delay
