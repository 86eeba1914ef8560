"""A timeline as SVG: events in lanes above, each rule's detections below, joined to the events they are made of.

What nearly was detected can stand under it: hollow, with what it failed at, and the events that broke it in dashes.

Any text may come in, as ids and names are the users'; what goes out is always well-formed XML that needs nothing
else to be shown. Crowds are thinned out (smaller dots, no labels, caps), and the line under the title says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from tocsin.draw.axis import Scale, ShowTime, axis
from tocsin.draw.svg import (
    EDGE,
    GREY,
    INK,
    STRIPE,
    WIDTH,
    clean,
    moved,
    page,
    shortened,
    tag,
    text_at,
    text_width,
)
from tocsin.events import Detection, Event
from tocsin.time.spans import SECOND

MOST_EVENTS, MOST_DETECTIONS, MOST_LINKS, MOST_LANES, MOST_TYPES = 5_000, 200, 2_000, 30, 21
LABELLED = 150
# Okabe and Ito's palette, which most colour-blind people can tell apart; its vermilion is kept for detections and its
# yellow, lost on white, is replaced. Beyond seven types the shapes differ.
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#5D3A9B", "#7A7A7A")
ALARM = "#D55E00"
_BELL: Final = (
    "M-7,4.5C-4.8,2.6 -4.6,0 -4.4,-2.4A4.4,4.4 0 0 1 -1.2,-6.4A1.2,1.2 0 0 1 1.2,-6.4"
    "A4.4,4.4 0 0 1 4.4,-2.4C4.6,0 4.8,2.6 7,4.5ZM-2,5.6A2,2 0 0 0 2,5.6Z"
)


@dataclass(frozen=True)
class Missed:
    """What a rule did not detect: the events it would be made of, those that broke it, and what it failed at."""

    rule: str
    start: int
    time: int
    events: tuple[str, ...]
    broken: tuple[str, ...]
    label: str
    tip: tuple[str, ...]
    id: str


Record = TypeVar("Record", Event, Detection, Missed)


@dataclass
class _Mark(Generic[Record]):
    """One event or detection on the picture: from `left` to `x`, drawn as far as `reach`, with its label after that."""

    of: Record
    size: float
    left: float
    x: float
    reach: float
    label: str
    y: float = 0.0

    @property
    def far(self) -> float:
        """Where the label ends."""
        return self.reach + (text_width(self.label, 11) + 10 if self.label else 0)


def draw_timeline(
    events: Sequence[Event],
    detections: Sequence[Detection],
    show_time: ShowTime,
    *,
    title: str = "",
    misses: Sequence[Missed] = (),
) -> str:
    """The picture, as the text of an SVG file."""
    found = _found(detections)
    chosen = _chosen(events, found)
    by_source = len({event.source for event in chosen}) > 1
    lanes = _lanes(chosen, lambda event: event.source if by_source else event.type)
    rules = _lanes(found, lambda detection: detection.rule)
    looks = {name: look for look, name in enumerate(dict.fromkeys(event.type for event in chosen))}
    near = _lanes(misses, lambda miss: f"{miss.rule}, missed")
    names = [name for name, _ in lanes] + [name for name, _ in rules] + [name for name, _ in near]
    scale = _scale(chosen, found, misses, names)
    dots = [(name, [_dot(event, scale, len(chosen)) for event in group]) for name, group in lanes]
    bells = [(name, [_bell(detection, scale, len(found)) for detection in group]) for name, group in rules]

    crosses = [(name, [_cross(miss, scale) for miss in group]) for name, group in near]

    head, top = _head(title, looks, found, bool(misses))
    stripes, middle = _stacked(dots, top, "source" if by_source else "type")
    more, bottom = _stacked(bells, middle + (34 if dots and bells else 0), "rule")
    under, bottom = _stacked(crosses, bottom + (34 if crosses else 0), "nearest misses")
    all_dots, all_bells = [dot for _, group in dots for dot in group], [bell for _, group in bells for bell in group]
    every_link = list(_links(all_dots, all_bells))
    links = [every_link[number] for number in sorted(_even_choice([bell.of.id for _, bell in every_link], MOST_LINKS))]
    said = [_counted(len(chosen), len(events), "event"), _counted(len(found), len(detections), "detection")]
    if len(links) < len(every_link):
        said.append(_counted(len(links), len(every_link), "connecting line"))
    body = [*head, *stripes, *more, *under]
    if misses:
        said.append(_counted(len(misses), len(misses), "miss"))
    if chosen or found:
        last = max(
            [event.end for event in chosen]
            + [detection.time_us for detection in found]
            + [miss.time for miss in misses]
        )
        said.append(" to ".join(dict.fromkeys((show_time(scale.low), show_time(last)))))
        body += axis(scale, show_time, top, bottom)
    body.append(text_at(EDGE, 54 if title else 30, " · ".join(said), size=12, fill=GREY))
    body += [_drawn_link(dot, bell, looks[dot.of.type], len(found)) for dot, bell in links]
    all_crosses = [cross for _, group in crosses for cross in group]
    body += [_drawn_miss_link(dot, cross, looks[dot.of.type]) for dot, cross in _miss_links(all_dots, all_crosses)]
    body += [_drawn_dot(dot, looks[dot.of.type], show_time) for dot in all_dots]
    body += [_drawn_bell(bell, scale, show_time) for bell in all_bells]
    body += [_drawn_cross(cross) for cross in all_crosses]
    return page(title or "timeline of events and detections", body, bottom + 52 if chosen or found else 76)


# -- what is drawn, and where --------------------------------------------------------------------------------------


def _even_choice(kinds: Sequence[str], most: int) -> set[int]:
    """Which of so many records to draw: all, or the first of each kind and an even share of the others of every kind.

    Every n-th regardless of kind would leave out all answers where requests and answers take turns.
    """
    if len(kinds) <= most:
        return set(range(len(kinds)))
    firsts = {kind: number for number, kind in reversed(list(enumerate(kinds)))}
    kept = set(sorted(firsts.values())[:most])
    rest = sorted((number for number in range(len(kinds)) if number not in kept), key=lambda number: kinds[number])
    room = most - len(kept)
    return kept | {rest[place * len(rest) // room] for place in range(room)}


def _found(detections: Sequence[Detection]) -> list[Detection]:
    """The detections to draw, in order of time."""
    ordered = sorted(detections, key=lambda one: (one.time_us, one.start_us))
    return [ordered[number] for number in sorted(_even_choice([one.rule for one in ordered], MOST_DETECTIONS))]


def _chosen(events: Sequence[Event], found: Sequence[Detection]) -> list[Event]:
    """The events to draw: all, or of a crowd some, with what the drawn detections are made of."""
    ordered = sorted(events, key=lambda event: (event.start, event.end))
    some = _even_choice([f"{event.source}\0{event.type}" for event in ordered], MOST_EVENTS)
    needed = {name for detection in found for name in detection.events}
    return [event for number, event in enumerate(ordered) if number in some or event.id in needed]


def _lanes(records: Sequence[Record], name_of: Callable[[Record], str]) -> list[tuple[str, list[Record]]]:
    """The records of each lane, in order of first appearance; those of too many lanes share the last."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[name_of(record)].append(record)
    lanes = list(groups.items())
    if len(lanes) > MOST_LANES:
        rest = [record for _, group in lanes[MOST_LANES:] for record in group]
        lanes[MOST_LANES:] = [(f"and {len(lanes) - MOST_LANES:,} more", rest)]
    return lanes


def _scale(
    chosen: Sequence[Event], found: Sequence[Detection], misses: Sequence[Missed], names: Iterable[str]
) -> Scale:
    """Room for the names at the left and the last label at the right.

    `detected` may be far off, where old events are replayed by the wall clock: it counts for a quarter at most.
    """
    starts = [event.start for event in chosen] + [detection.start_us for detection in found]
    low = min(starts + [miss.start for miss in misses], default=0)
    ends = [event.end for event in chosen] + [detection.time_us for detection in found]
    high = max([low, *ends] + [miss.time for miss in misses])
    latest = max([high] + [detection.detected_us for detection in found])
    high = min(latest, high + ((high - low) // 4 or SECOND))
    left = max((text_width(name, 13) for name in map(_lane_name, names)), default=0) + EDGE + 30
    labels = 150 if misses else 84 if len(chosen) <= LABELLED else 16
    return Scale(low, high, left, WIDTH - EDGE - labels)


def _dot(event: Event, scale: Scale, crowd: int) -> _Mark[Event]:
    size = 6.0 if crowd <= 60 else 4.5 if crowd <= 400 else 3.0
    x = scale.x(event.end)
    label = shortened(event.id or event.type, 72, 11) if crowd <= LABELLED else ""
    return _Mark(event, size, min(x, scale.x(event.start)), x, x + size, label)


def _bell(detection: Detection, scale: Scale, crowd: int) -> _Mark[Detection]:
    size = 9.0 if crowd <= 60 else 5.0
    x = scale.x(detection.time_us)
    reach = max(x + size, scale.x(detection.detected_us) + 3 if detection.detected_us > detection.time_us else x)
    label = shortened(detection.type, 72, 11) if crowd <= 60 and detection.type != detection.rule else ""
    return _Mark(detection, size, min(x, scale.x(detection.start_us)), x, reach, label)


def _cross(miss: Missed, scale: Scale) -> _Mark[Missed]:
    x = scale.x(miss.time)
    return _Mark(miss, 7.0, min(x, scale.x(miss.start)), x, x + 7, shortened(miss.label, 150, 11))


def _rows(marks: Iterable[_Mark[Record]]) -> list[list[_Mark[Record]]]:
    """The marks of a lane in rows where they do not touch; a label gives way where three rows are not enough."""
    rows: list[list[_Mark[Record]]] = []
    for mark in sorted(marks, key=lambda mark: min(mark.left, mark.x - mark.size)):
        begin = min(mark.left, mark.x - mark.size) - 1
        free = [row for row in rows if row[-1].far <= begin]
        bare = [row for row in rows if row[-1].reach <= begin]
        if free:
            free[0].append(mark)
        elif len(rows) < 3 or (not bare and len(rows) < 9):
            rows.append([mark])
        else:
            row = bare[0] if bare else min(rows, key=lambda row: row[-1].reach)
            row[-1].label = ""
            row.append(mark)
    return rows


def _stacked(lanes: Sequence[tuple[str, list[_Mark[Record]]]], top: float, kind: str) -> tuple[list[str], float]:
    """Gives every mark its height on the picture; the stripes of the lanes, and where the last of them ends."""
    drawn = [text_at(EDGE, top - 6, kind, fill=GREY, size=11)] if lanes else []
    for number, (name, marks) in enumerate(lanes):
        rows = _rows(marks)
        pitch = 2 * marks[0].size + 3
        height = max(30.0, len(rows) * pitch + 12)
        # From the middle outwards: a lone mark stands on the lane's own line, a crowd swells to both sides.
        places = sorted(range(len(rows)), key=lambda place: abs(place - (len(rows) - 1) / 2))
        for row, place in zip(rows, places, strict=True):
            for mark in row:
                mark.y = top + height / 2 + (place - (len(rows) - 1) / 2) * pitch
        fill = "white" if number % 2 else STRIPE
        words = text_at(EDGE, top + height / 2 + 4.5, _lane_name(name), size=13)
        tip = tag("title", clean(name[:500]))
        drawn.append(tag("rect", x=EDGE - 10, y=top, width=WIDTH - 2 * EDGE + 20, height=height, rx=4, fill=fill))
        drawn.append(tag("g", tip + words, class_="lane"))
        top += height
    return drawn, top


def _links(
    dots: Iterable[_Mark[Event]], bells: Iterable[_Mark[Detection]]
) -> Iterator[tuple[_Mark[Event], _Mark[Detection]]]:
    """Every constituent with its detection.

    Sources may use the same id: a detection means the one inside its stretch of time, as often as it lists the id.
    """
    by_id: dict[str, list[_Mark[Event]]] = defaultdict(list)
    for dot in dots:
        by_id[dot.of.id].append(dot)
    for bell in bells:
        for name, times in Counter(bell.of.events).items():
            known = by_id.get(name, [])
            inside = [dot for dot in known if bell.of.start_us <= dot.of.end <= bell.of.time_us]
            yield from ((dot, bell) for dot in (inside or known)[:times])


def _miss_links(
    dots: Iterable[_Mark[Event]], crosses: Iterable[_Mark[Missed]]
) -> Iterator[tuple[_Mark[Event], _Mark[Missed]]]:
    """Every event that a miss is made of, or was broken by, with the miss."""
    by_id: dict[str, list[_Mark[Event]]] = defaultdict(list)
    for dot in dots:
        by_id[dot.of.id].append(dot)
    for cross in crosses:
        for name in dict.fromkeys((*cross.of.events, *cross.of.broken)):
            yield from ((dot, cross) for dot in by_id.get(name, [])[:1])


# -- drawing -------------------------------------------------------------------------------------------------------


def _head(
    title: str, looks: Mapping[str, int], found: Sequence[Detection], has_misses: bool
) -> tuple[list[str], float]:
    """The title and the legend, and where the lanes begin; the line between them is filled in by the caller."""
    entries = [(name, _glyph(look, 5.5)) for name, look in list(looks.items())[:MOST_TYPES]]
    if len(looks) > MOST_TYPES:
        entries.append((f"and {len(looks) - MOST_TYPES:,} more", ""))
    if found:
        entries.append(("detection", tag("path", d=_BELL, fill=ALARM)))
    if any(detection.detected_us > detection.time_us for detection in found):
        entries.append(("detected later", _dashes(-8, 8)))
    if has_misses:
        entries.append(("miss", _x_sign(5.0)))
        entries.append(("broke it", tag("path", d="M-8,0H8", stroke=ALARM, stroke_dasharray="3 3", stroke_width=1.5)))
    drawn = [text_at(EDGE, 32, shortened(title, WIDTH - 2 * EDGE, 21), size=20, font_weight=600)] if title else []
    x, y = EDGE + 6.0, 80.0 if title else 56.0
    for name, sign in entries:
        words = shortened(name, 180, 12)
        step = (16 if sign else 0) + text_width(words, 12) + 22
        if x + step > WIDTH - EDGE and x > EDGE + 6:
            x, y = EDGE + 6.0, y + 20
        drawn.append(
            tag("g", sign + text_at(14 if sign else -6, 4, words, size=12), class_="legend", transform=moved(x, y))
        )
        x += step
    return drawn, y + 38


def _glyph(look: int, size: float) -> str:
    """The sign of an event type: a dot; once the colours are used up, squares and diamonds."""
    colour, shape = COLOURS[look % len(COLOURS)], look // len(COLOURS) % 3
    if shape == 0:
        return tag("circle", r=size, fill=colour, stroke="white")
    half, turn = size * 0.87, {} if shape == 1 else {"transform": "rotate(45)"}
    return tag("rect", x=-half, y=-half, width=2 * half, height=2 * half, fill=colour, stroke="white", **turn)


def _drawn_link(dot: _Mark[Event], bell: _Mark[Detection], look: int, crowd: int) -> str:
    """A line from a constituent down to its detection, in the colour of the constituent."""
    middle, opacity = (dot.y + bell.y) / 2, 0.6 if crowd <= 20 else 0.3 if crowd <= 100 else 0.2
    path = f"M{dot.x:.1f},{dot.y:.1f}C{dot.x:.1f},{middle:.1f} {bell.x:.1f},{middle:.1f} {bell.x:.1f},{bell.y:.1f}"
    line = {"fill": "none", "stroke": COLOURS[look % len(COLOURS)], "stroke_opacity": opacity}
    return tag("path", class_="link", d=path, data_event=dot.of.id, data_detection=bell.of.id, **line)


def _drawn_dot(mark: _Mark[Event], look: int, show_time: ShowTime) -> str:
    """An event: a sign at its instant, or a bar along its interval."""
    event, sign = mark.of, _glyph(look, mark.size)
    if event.start < event.end:
        long, high = max(mark.x - mark.left, mark.size), mark.size * 1.4
        bar = {"x": -long, "y": -high / 2, "width": long, "height": high, "rx": high / 2}
        sign = tag("rect", fill=COLOURS[look % len(COLOURS)], stroke="white", **bar)
    when = show_time(event.end) if event.start == event.end else f"{show_time(event.start)} to {show_time(event.end)}"
    tip = _tip(f"{event.type} {event.id}", when, event.source and f"from {event.source}", data=event.data)
    return tag("g", tip + sign + _label(mark), class_="event", data_id=event.id, transform=moved(mark.x, mark.y))


def _drawn_bell(mark: _Mark[Detection], scale: Scale, show_time: ShowTime) -> str:
    """A detection: a bar from its start to the bell at its time, and dashes on to the moment it was detected."""
    one, high = mark.of, mark.size * 0.8
    bar = {"x": mark.left - mark.x, "y": -high / 2, "width": mark.x - mark.left, "height": high, "rx": high / 2}
    drawn = tag("rect", fill=ALARM, fill_opacity=0.22, **bar) if mark.left < mark.x else ""
    if one.detected_us > one.time_us:
        drawn += _dashes(0, scale.x(one.detected_us) - mark.x, beyond=one.detected_us > scale.high)
    # White around the bell keeps it apart from its bar and from the lines that end in it.
    ring = {"stroke": "white", "stroke_width": 3, "paint_order": "stroke", "transform": f"scale({mark.size / 9:.2f})"}
    drawn += tag("path", d=_BELL, fill=ALARM, **ring)
    made_of = f"of {', '.join(one.events[:12])}{', ...' if len(one.events) > 12 else ''}"
    when = (
        show_time(one.time_us)
        if one.start_us == one.time_us
        else f"{show_time(one.start_us)} to {show_time(one.time_us)}"
    )
    late = f"detected {show_time(one.detected_us)}" if one.detected_us != one.time_us else ""
    tip = _tip(f"{one.rule}: {one.type}", when, late, made_of, one.id, data=one.data)
    return tag("g", tip + drawn + _label(mark), class_="detection", data_id=one.id, transform=moved(mark.x, mark.y))


def _x_sign(size: float) -> str:
    """The sign of what was missed: a cross."""
    return tag("path", d=f"M{-size},{-size}L{size},{size}M{-size},{size}L{size},{-size}", stroke=INK, stroke_width=2)


def _drawn_miss_link(dot: _Mark[Event], cross: _Mark[Missed], look: int) -> str:
    """A line from an event down to the miss it would be part of; dashed, in the colour of alarm, where it broke it."""
    middle = (dot.y + cross.y) / 2
    path = f"M{dot.x:.1f},{dot.y:.1f}C{dot.x:.1f},{middle:.1f} {cross.x:.1f},{middle:.1f} {cross.x:.1f},{cross.y:.1f}"
    if dot.of.id in cross.of.broken and dot.of.id not in cross.of.events:
        line = {"stroke": ALARM, "stroke_width": 1.5, "stroke_dasharray": "3 3"}
    else:
        line = {"stroke": COLOURS[look % len(COLOURS)], "stroke_opacity": 0.45}
    return tag("path", class_="miss-link", d=path, fill="none", data_event=dot.of.id, data_miss=cross.of.id, **line)


def _drawn_cross(mark: _Mark[Missed]) -> str:
    """A miss: a hollow bar from its start to the cross at its end, with what it failed at."""
    bar = {"x": mark.left - mark.x, "y": -4.0, "width": mark.x - mark.left, "height": 8.0, "rx": 4.0}
    hollow = {"fill": "white", "fill_opacity": 0.7, "stroke": GREY, "stroke_dasharray": "4 3"}
    drawn = tag("rect", **bar, **hollow) if mark.left < mark.x else ""
    tip = tag("title", "\n".join(clean(line[:200]) for line in mark.of.tip))
    ring = tag("circle", r=8.0, fill="white")
    inner = tip + drawn + ring + _x_sign(4.5) + _label(mark)
    return tag("g", inner, class_="miss", data_id=mark.of.id, transform=moved(mark.x, mark.y))


def _dashes(begin: float, end: float, beyond: bool = False) -> str:
    """From a detection's time to when it was detected; an arrow where that is beyond the picture."""
    line = tag("path", d=f"M{begin:.1f},0H{end:.1f}", stroke=ALARM, stroke_dasharray="2 3")
    tip = f"M{end - 4:.1f},-4L{end:.1f},0L{end - 4:.1f},4" if beyond else f"M{end:.1f},-4V4"
    return line + tag("path", d=tip, fill="none", stroke=ALARM)


def _label(mark: _Mark[Event] | _Mark[Detection] | _Mark[Missed]) -> str:
    """The words beside a mark, on white so that the lines behind them do not cross them out."""
    halo = {"stroke": "white", "stroke_width": 3, "stroke_opacity": 0.8, "paint_order": "stroke"}
    return text_at(mark.reach - mark.x + 4, 4, mark.label, size=11, fill=INK, **halo) if mark.label else ""


def _tip(*lines: str, data: Mapping[str, object]) -> str:
    """What is shown where the pointer rests: all there is to know, but not pages of it."""
    attributes = [f"{name} = {value}" for name, value in list(data.items())[:12]]
    more = [f"and {len(data) - 12:,} more"] if len(data) > 12 else []
    return tag("title", "\n".join(clean(line[:200]) for line in (*lines, *attributes, *more) if line.strip()))


# -- words --------------------------------------------------------------------------------------------------


def _lane_name(name: str) -> str:
    return shortened(name, 200, 13) or "(none)"


def _counted(drawn: int, known: int, noun: str) -> str:
    """`5 events`, or `200 of 5,000 detections drawn`."""
    nouns = noun if known == 1 else f"{noun}es" if noun.endswith("s") else f"{noun}s"
    if drawn < known:
        return f"{drawn:,} of {known:,} {nouns} drawn"
    return f"{known:,} {nouns}" if known else f"no {nouns}"
