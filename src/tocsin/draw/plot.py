"""Plots as SVG: lines over numbers and groups of bars, with axes at round numbers and a legend beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tocsin.draw.svg import EDGE, GREY, INK, LINE, WIDTH, moved, page, tag, text_at
from tocsin.draw.timeline import ALARM, COLOURS

LEFT, RIGHT, TOP, BOTTOM = EDGE + 84.0, WIDTH - 330.0, 92.0, 520.0
HEIGHT = 596.0
_COLOURS = (COLOURS[0], ALARM, *COLOURS[2:])
_NEAR = 2.5
"""Points that are so near to each other hide each other."""
_MARKS = (
    "M-4,-4H4V4H-4Z",
    "M0,-5L5,4H-5Z",
    "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
    "M-5,-4H5L0,5Z",
    "M-6,-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z",
)


@dataclass(frozen=True)
class Series:
    """Points that belong together, by a name. A dashed line is not measured but reckoned.

    Without a line: single happenings, between which there is nothing.
    """

    name: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False
    has_line: bool = True


@dataclass(frozen=True)
class Range:
    """From numbers to places on the picture, evenly or by their logarithms."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool

    def at(self, number: float) -> float:
        """Where a number stands."""
        share = (number - self.low) / (self.high - self.low)
        if self.is_log:
            share = math.log(number / self.low) / math.log(self.high / self.low)
        return self.start + (self.end - self.start) * share

    def ticks(self) -> list[float]:
        """Round numbers: the decades, with twos and fives where there are few of them, or at most ten even steps."""
        if self.is_log:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            digits = (1, 2, 5) if last - first <= 3 else (1,)
            skip = -(-(last - first) // 10) or 1
            found = (digit * 10.0**power for power in range(first, last + 1, skip) for digit in digits)
            return [tick for tick in found if self.low * 0.999 <= tick <= self.high * 1.001]
        step = _step(self.high - self.low)
        return [self.low + step * n for n in range(int((self.high - self.low) / step + 1e-9) + 1)]


def draw_lines(
    title: str,
    subtitle: str,
    x_name: str,
    y_name: str,
    series: Sequence[Series],
    *,
    log_x: bool = False,
    log_y: bool = True,
) -> str:
    """Lines through points; heights by their logarithm, so that what grows exponentially is steep and seen as such.

    `log_y` false: heights from nothing on, evenly, where it is parts of a whole that are compared.
    """
    points = [point for each in series for point in each.points]
    widths = [x for x, _ in points]
    across = _range(widths, LEFT, RIGHT)
    if log_x:
        across = Range(min(widths) / 1.2, max(widths) * 1.2, LEFT, RIGHT, True)
    heights = [y for _, y in points]
    up = _decades(heights, BOTTOM, TOP) if log_y else _range(heights, BOTTOM, TOP)
    body = [*_head(title, subtitle), *_axes(across, up, x_name, y_name)]
    places = [[(across.at(x), up.at(y)) for x, y in each.points] for each in series]
    for look, each in enumerate(series):
        body += _drawn(each, look, places[look], places[look + 1 :])
    body += _legend([(each.name, each.is_dashed) for each in series], _line_sample)
    return page(title, body, HEIGHT)


def draw_bars(
    title: str, subtitle: str, y_name: str, names: Sequence[str], groups: Sequence[tuple[str, Sequence[float]]]
) -> str:
    """Groups of bars, one a name in each group, with their heights written on them."""
    up = _range([value * 1.04 for _, values in groups for value in values], BOTTOM, TOP)
    body = [*_head(title, subtitle), *_heights(up, y_name)]
    room = (RIGHT - LEFT) / len(groups)
    wide = min(52.0, room * 0.7 / len(names))
    for place, (group, values) in enumerate(groups):
        middle = LEFT + room * (place + 0.5)
        for look, value in enumerate(values):
            x, y = middle + (look - len(values) / 2) * wide, up.at(value)
            body.append(tag("rect", x=x, y=y, width=wide - 3, height=BOTTOM - y, fill=_COLOURS[look], class_="bar"))
            body.append(text_at(x + wide / 2 - 1.5, y - 5, _written(value), size=11, text_anchor="middle"))
        for row, words in enumerate(group.split("\n")):
            body.append(text_at(middle, BOTTOM + 20 + 16 * row, words, size=12, fill=GREY, text_anchor="middle"))
    body.append(tag("path", d=f"M{LEFT:.1f},{BOTTOM:.1f}H{RIGHT:.1f}", stroke=GREY))
    body += _legend([(name, False) for name in names], _bar_sample)
    return page(title, body, HEIGHT)


# -- parts ---------------------------------------------------------------------------------------------------------


def _head(title: str, subtitle: str) -> Iterator[str]:
    yield text_at(EDGE, 34, title, size=18, font_weight="bold")
    yield text_at(EDGE, 56, subtitle, size=12, fill=GREY)


def _axes(across: Range, up: Range, x_name: str, y_name: str) -> Iterator[str]:
    yield from _heights(up, y_name)
    for tick in across.ticks():
        x = across.at(tick)
        yield tag("path", d=f"M{x:.1f},{TOP:.1f}V{BOTTOM + 5:.1f}", stroke=LINE)
        yield text_at(x, BOTTOM + 20, _written(tick), size=11, fill=GREY, text_anchor="middle", class_="tick")
    yield text_at((LEFT + RIGHT) / 2, BOTTOM + 46, x_name, size=13, text_anchor="middle")
    yield tag("path", d=f"M{LEFT:.1f},{BOTTOM:.1f}H{RIGHT:.1f}", stroke=GREY)


def _heights(up: Range, y_name: str) -> Iterator[str]:
    for tick in up.ticks():
        y = up.at(tick)
        yield tag("path", d=f"M{LEFT - 5:.1f},{y:.1f}H{RIGHT:.1f}", stroke=LINE)
        yield text_at(LEFT - 10, y + 4, _written(tick), size=11, fill=GREY, text_anchor="end", class_="tick")
    yield text_at(EDGE, TOP - 14, y_name, size=13)


_Places = Sequence[tuple[float, float]]


def _drawn(each: Series, look: int, places: _Places, above: Sequence[_Places]) -> Iterator[str]:
    """A series. Where others will lie upon it, it is drawn wider, so that it is seen around them."""
    path = "L".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = {"stroke_dasharray": "6 5"} if each.is_dashed else {}
    colour = _COLOURS[look % len(_COLOURS)]
    width = 2 if each.has_line else 0
    yield tag("path", d=f"M{path}", fill="none", stroke=colour, stroke_width=width, class_="series", **dash)
    hidden = [sum(_is_near(place, other) for other in above) for place in places]
    for one, other in pairwise(range(len(places))):
        if each.has_line and (least := min(hidden[one], hidden[other])):
            ends = "L".join(f"{x:.1f},{y:.1f}" for x, y in (places[one], places[other]))
            yield tag("path", d=f"M{ends}", fill="none", stroke=colour, stroke_width=2 + 2.5 * least)
    for (x, y), others in zip(places, hidden, strict=True):
        yield _mark(look, x, y, 1 + 0.3 * others)


def _is_near(place: tuple[float, float], others: _Places) -> bool:
    return any(abs(place[0] - x) < _NEAR and abs(place[1] - y) < _NEAR for x, y in others)


def _mark(look: int, x: float, y: float, size: float = 1.0) -> str:
    colour = _COLOURS[look % len(_COLOURS)]
    place = moved(x, y) if size == 1.0 else f"{moved(x, y)} scale({size:.2f})"
    return tag("path", d=_MARKS[look % len(_MARKS)], fill=colour, transform=place)


def _legend(entries: Sequence[tuple[str, bool]], sample: Callable[[int, bool, float], Iterator[str]]) -> Iterator[str]:
    for look, (name, is_dashed) in enumerate(entries):
        y = TOP + 12 + 26 * look
        yield from sample(look, is_dashed, y)
        yield text_at(RIGHT + 66, y + 4, name, size=12, fill=INK)


def _line_sample(look: int, is_dashed: bool, y: float) -> Iterator[str]:
    dash = {"stroke_dasharray": "6 5"} if is_dashed else {}
    yield tag("path", d=f"M{RIGHT + 24:.1f},{y:.1f}h32", stroke=_COLOURS[look % len(_COLOURS)], stroke_width=2, **dash)
    yield _mark(look, RIGHT + 40, y)


def _bar_sample(look: int, _: bool, y: float) -> Iterator[str]:
    yield tag("rect", x=RIGHT + 34, y=y - 7, width=14, height=14, fill=_COLOURS[look])


# -- numbers -------------------------------------------------------------------------------------------------------


def _range(numbers: Sequence[float], start: float, end: float) -> Range:
    """Room for all numbers, from nothing to a round number."""
    step = _step(max(numbers) or 1.0)
    return Range(0.0, step * math.ceil(max(numbers) / step), start, end, False)


def _decades(numbers: Sequence[float], start: float, end: float) -> Range:
    """Room for all numbers, from a power of ten to another."""
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    return Range(10.0**low, 10.0 ** max(high, low + 1), start, end, True)


def _step(most: float) -> float:
    """A round step, of which at most ten fit."""
    power = 10.0 ** math.floor(math.log10(most / 10))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit * 10 >= most)


def _written(number: float) -> str:
    if number >= 1e6:
        power = math.floor(math.log10(number) + 1e-9)
        digit = number / 10.0**power
        return f"10{_raised(power)}" if abs(digit - 1) < 0.005 else f"{digit:.1f}·10{_raised(power)}"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _raised(power: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))
