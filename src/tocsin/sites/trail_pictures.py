"""A trail as a picture: a lane for each site, time from left to right, and what went from one to the other.

Seconds may lie between events and microseconds between what came of them: the axis keeps the order, and stretches short
times. What a length stands for is written beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import log10
from typing import Final

from tocsin.draw.svg import EDGE, GREY, INK, LINE, STRIPE, clean, page, shortened, tag, text_at, text_width
from tocsin.draw.timeline import ALARM, COLOURS
from tocsin.sites.tables import lasting
from tocsin.sites.trail_texts import shown_delay
from tocsin.sites.trails import Birth, Step, Trail
from tocsin.time.instants import render_instant

LANE: Final = 84
_LEAST, _MOST, _DECADE = 44.0, 210.0, 26.0
_BOX: Final = 24
_TOP: Final = 74
_UNKNOWN: Final = "(nobody remembers)"


@dataclass(frozen=True)
class Mark:
    """Something at a site and a time: an event, a part that passed something on, or where a detection is told."""

    kind: str
    site: str
    time: int
    label: str
    tip: str
    colour: str = INK


@dataclass(frozen=True)
class Hop:
    """From one place and time to another."""

    begin: tuple[str, int]
    end: tuple[str, int]
    label: str
    is_known: bool


@dataclass
class Picture:
    """What is to be drawn, all times by the clock of the site that detected."""

    marks: dict[tuple[str, str, int, str], Mark] = field(default_factory=dict)
    hops: list[Hop] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)

    def add(self, mark: Mark) -> None:
        """One thing more, each once."""
        self.marks.setdefault((mark.kind, mark.site, mark.time, mark.label), mark)

    def add_step(self, step: Step, shift: int) -> None:
        """A part, and what came to it. `shift`: what to add to its site's clock."""
        rules = ", ".join(step.rules)
        colour = ALARM if step.role == "rule" else "#3E4C59"
        tip = f"{step.role} {step.part} of {rules} at {step.site}\n{render_instant(step.time)} by its clock"
        at = step.time + shift
        self.add(Mark("part", step.site, at, rules if step.role == "rule" else step.role, tip, colour))
        for way in step.ways:
            passage = way.passage
            taken = at
            if passage is not None and passage.taken is not None and passage.taker == step.site:
                taken = passage.taken + shift
            begin = taken if passage is None else taken - max(passage.delay.time or 0, 0)
            giver = self._site_of(way.of) if passage is None else passage.giver
            if isinstance(way.of, Step):
                self.add_step(way.of, begin - way.of.time)
            else:
                born = min(way.of.end + shift, begin)
                self._add_birth(way.of, born)
                self.hops.append(Hop((giver, born), (giver, begin), "", True))
            label = "" if passage is None or passage.giver == passage.taker else shown_delay(passage.delay)
            known = passage is not None and passage.delay.time is not None
            self.hops.append(Hop((giver, begin), (step.site, taken), label, known))
            self.hops.append(Hop((step.site, taken), (step.site, at), "", True))

    def _add_birth(self, birth: Birth, at: int) -> None:
        colour = self.colours.setdefault(birth.type, COLOURS[len(self.colours) % len(COLOURS)])
        tip = f"{birth.type} {birth.source}/{birth.id}\n{render_instant(birth.end)}"
        self.add(Mark("event", self._site_of(birth), at, f"{birth.type} {birth.id}", tip, colour))

    def _site_of(self, of: Birth | Step) -> str:
        return (of.site or _UNKNOWN) if isinstance(of, Birth) else of.site


def draw_trail(trail: Trail) -> str:
    """The picture, as the text of an SVG file."""
    picture = _picture_of(trail)
    sites = sorted({mark.site for mark in picture.marks.values()}, key=lambda site: (site == _UNKNOWN, site))
    ends = {place for hop in picture.hops for place in (hop.begin[1], hop.end[1])}
    times = sorted(ends | {mark.time for mark in picture.marks.values()})
    left = EDGE + max(text_width(site, 14) for site in sites) + 60
    places, gaps = _places(times, left)
    width = max(places.values()) + 170
    heights = {site: _TOP + number * LANE + LANE / 2 for number, site in enumerate(sites)}
    bottom = _TOP + LANE * len(sites)
    title = f"detection {trail.detection['id']} of rule '{trail.detection['rule']}'"
    said = f"{render_instant(trail.detection['start_us'])} to {render_instant(trail.detection['time_us'])}"
    body = [
        _arrowhead(),
        text_at(EDGE, 30, shortened(title, width - 2 * EDGE, 16), size=16, font_weight=600),
        text_at(EDGE, 52, f"{said} · detected at {trail.step.site}", size=12, fill=GREY),
        *_lanes(heights, left, width),
        *_axis(times, places, gaps, bottom),
    ]
    body += [part for hop in picture.hops for part in _drawn_hop(hop, places, heights)]
    body += _drawn_marks(list(picture.marks.values()), places, heights)
    return page(title, body, bottom + 46, width)


def _picture_of(trail: Trail) -> Picture:
    picture = Picture()
    picture.add_step(trail.step, 0)
    begin = trail.step.site, trail.step.time
    for passage in trail.told:
        if passage.taker != trail.step.site:
            at = trail.step.time + max(passage.delay.time or 0, 0)
            picture.add(Mark("told", passage.taker, at, "told", f"told at {passage.taker}", ALARM))
            known = passage.delay.time is not None
            picture.hops.append(Hop(begin, (passage.taker, at), shown_delay(passage.delay), known))
    return picture


def _lanes(heights: dict[str, float], left: float, width: float) -> Iterator[str]:
    for number, (site, height) in enumerate(heights.items()):
        fill = "white" if number % 2 else STRIPE
        top = height - LANE / 2
        yield tag("rect", x=EDGE - 10, y=top, width=width - 2 * EDGE + 20, height=LANE, rx=4, fill=fill)
        yield text_at(EDGE, height + 5, site, size=14, font_weight=600)
        yield tag("path", d=f"M{left - 20:.1f},{height:.1f}H{width - EDGE:.1f}", stroke=LINE)


def _places(times: list[int], left: float) -> tuple[dict[int, float], dict[int, float]]:
    """Where each time stands: short times are stretched, long ones shortened; and how far it is from the one before."""
    places = {times[0]: left}
    gaps: dict[int, float] = {}
    for before, time in pairwise(times):
        gap = min(_MOST, _LEAST + _DECADE * log10(1 + (time - before) / 100))
        places[time], gaps[time] = places[before] + gap, gap
    return places, gaps


def _axis(times: list[int], places: dict[int, float], gaps: dict[int, float], bottom: float) -> Iterator[str]:
    """The first time as it is, and how long after the one before each other one is."""
    yield text_at(EDGE, bottom + 34, f"from {render_instant(times[0])}", size=11, fill=GREY)
    for before, time in pairwise(times):
        x = places[time]
        yield tag("path", d=f"M{x:.1f},{_TOP:.1f}V{bottom + 4:.1f}", stroke=LINE, stroke_dasharray="2 4")
        middle = (places[before] + x) / 2
        words = shortened(f"+{lasting(time - before)}", gaps[time] - 4, 10)
        yield text_at(middle, bottom + 16, words, size=10, fill=GREY, text_anchor="middle")


def _arrowhead() -> str:
    head = tag("path", d="M0,0L8,4L0,8Z", fill=GREY)
    size = {"markerWidth": 8, "markerHeight": 8, "refX": 7.5, "refY": 4, "markerUnits": "userSpaceOnUse"}
    return tag("defs", tag("marker", head, id="hop", orient="auto-start-reverse", **size))


def _drawn_hop(hop: Hop, places: dict[int, float], heights: dict[str, float]) -> Iterator[str]:
    x, y = places[hop.begin[1]], heights[hop.begin[0]]
    to_x, to_y = places[hop.end[1]], heights[hop.end[0]]
    if (x, y) == (to_x, to_y):
        return
    is_level = y == to_y
    middle = (x + to_x) / 2
    way = (
        f"M{x:.1f},{y:.1f}H{to_x:.1f}"
        if is_level
        else (f"M{x:.1f},{y:.1f}C{middle:.1f},{y:.1f} {middle:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}")
    )
    look: dict[str, object] = {} if is_level else {"marker_end": "url(#hop)"}
    look |= {} if hop.is_known else {"stroke_dasharray": "4 3"}
    yield tag("path", d=way, fill="none", stroke=GREY, stroke_width=1.6, class_="hop", **look)
    if hop.label:
        words = shortened(hop.label, 150, 10)
        wide = text_width(words, 10) + 6
        at = (y + to_y) / 2
        yield tag("rect", x=middle - wide / 2, y=at - 8, width=wide, height=14, rx=3, fill="white", fill_opacity=0.85)
        yield text_at(middle, at + 3, words, size=10, text_anchor="middle")


def _drawn_marks(marks: list[Mark], places: dict[int, float], heights: dict[str, float]) -> Iterator[str]:
    for mark in sorted(marks, key=lambda each: (each.time, each.kind)):
        x, y = places[mark.time], heights[mark.site]
        tip = tag("title", clean(mark.tip))
        if mark.kind == "event":
            shape = tag("circle", cx=x, cy=y, r=6, fill=mark.colour)
            words = text_at(x, y - 13, shortened(mark.label, 130, 11), size=11, text_anchor="middle")
        else:
            label = shortened(mark.label, 140, 11)
            wide = text_width(label, 11) + 14
            box = {"x": x, "y": y - _BOX / 2, "width": wide, "height": _BOX, "rx": 5}
            shape = tag("rect", **box, fill="white", stroke=mark.colour, stroke_width=1.8)
            words = text_at(x + 7, y + 4, label, size=11, fill=mark.colour)
        yield tag("g", tip + shape + words, class_=mark.kind)
