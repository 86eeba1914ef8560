"""Counts as SVG: stacked columns along days, and fields of cells whose shade says how many."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tocsin.draw.svg import (
    EDGE,
    GREY,
    INK,
    LINE,
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
from tocsin.draw.timeline import COLOURS

REST = "#B8C2CC"
"""The colour of all that have none of their own."""
_SHADE = (0, 114, 178)
HIGH = 220.0


def draw_columns(title: str, places: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> str:
    """A column a place, stacked of the series; beyond as many as there are colours they are drawn as one."""
    shown = list(series)
    if len(shown) > len(COLOURS):
        rest = [sum(values) for values in zip(*(values for _, values in shown[len(COLOURS) - 1 :]), strict=True)]
        shown = [*shown[: len(COLOURS) - 1], (f"{len(series) - len(COLOURS) + 1} others", rest)]
    looks = [COLOURS[n] if n < len(COLOURS) - 1 or len(series) <= len(COLOURS) else REST for n in range(len(shown))]
    legend, top = _legend([name for name, _ in shown], looks)
    totals = [sum(values) for values in zip(*(values for _, values in shown), strict=True)]
    most = max([1, *totals])
    step = _step(most)
    ceiling = step * math.ceil(most / step)
    left, right, bottom = EDGE + text_width(f"{ceiling:,}", 12) + 10, WIDTH - EDGE, top + HIGH
    body = list(legend)
    for count in range(0, ceiling + 1, step):
        y = bottom - HIGH * count / ceiling
        body.append(tag("path", d=f"M{left:.1f},{y:.1f}H{right:.1f}", stroke=LINE))
        body.append(text_at(left - 8, y + 4, f"{count:,}", size=12, fill=GREY, text_anchor="end"))
    room = (right - left) / max(1, len(places))
    wide = min(56.0, room * 0.8)
    for place, name in enumerate(places):
        x, y = left + room * (place + 0.5) - wide / 2, bottom
        for (of, values), colour in zip(shown, looks, strict=True):
            if values[place]:
                high = HIGH * values[place] / ceiling
                y -= high
                tip = tag("title", clean(f"{name}, {of}: {values[place]:,}"))
                body.append(tag("rect", tip, x=x, y=y, width=wide, height=high, fill=colour, class_="column"))
        if totals[place] and room >= text_width(f"{totals[place]:,}", 11):
            body.append(text_at(x + wide / 2, y - 5, f"{totals[place]:,}", size=11, text_anchor="middle"))
    body += _names(places, left, room, bottom + 20)
    body.append(tag("path", d=f"M{left:.1f},{bottom:.1f}H{right:.1f}", stroke=GREY))
    return page(title, body, bottom + 40)


def draw_field(title: str, rows: Sequence[str], places: Sequence[str], counts: Mapping[tuple[int, int], int]) -> str:
    """A row a name, a cell a place: the darker, the more. Shades go by the square root, so that few are seen too."""
    most = max([1, *counts.values()])
    left = min(300.0, max((text_width(name, 13) for name in rows), default=0)) + EDGE + 16
    room = (WIDTH - EDGE - left) / max(1, len(places))
    high = 30.0
    top = 20.0
    body: list[str] = []
    for row, name in enumerate(rows):
        y = top + row * high
        label = text_at(EDGE, y + 19, shortened(name, left - EDGE - 12, 13), size=13)
        body.append(tag("g", tag("title", clean(name[:500])) + label, class_="row"))
        for place, where in enumerate(places):
            count = counts.get((row, place), 0)
            body.append(_shaded(left + place * room, y, room, high, count, most, f"{name}, {where}: {count:,}"))
    bottom = top + len(rows) * high
    body += _names(places, left, room, bottom + 18)
    return page(title, body, bottom + 36)


def _shaded(x: float, y: float, wide: float, high: float, count: int, most: int, tip: str) -> str:
    share = math.sqrt(count / most)
    red, green, blue = (round(255 - (255 - part) * (0.1 + 0.9 * share)) for part in _SHADE)
    fill = f"#{red:02X}{green:02X}{blue:02X}" if count else STRIPE
    gap = 1 if wide > 4 else 0
    drawn = tag("rect", x=x, y=y, width=max(0.5, wide - gap), height=high - 1, fill=fill, class_="cell")
    if count and wide >= text_width(f"{count:,}", 11) + 4:
        colour = "white" if share > 0.55 else INK
        drawn += text_at(x + wide / 2, y + 19, f"{count:,}", size=11, fill=colour, text_anchor="middle")
    return tag("g", tag("title", clean(tip)) + drawn)


def _names(places: Sequence[str], left: float, room: float, y: float) -> Iterator[str]:
    """The names of places, as many as there is room for."""
    wide = max((text_width(name, 11) for name in places), default=0) + 10
    each = max(1, math.ceil(wide / room)) if places else 1
    for place in range(0, len(places), each):
        x = left + room * (place + 0.5)
        yield text_at(x, y, places[place], size=11, fill=GREY, text_anchor="middle", class_="tick")


def _legend(names: Sequence[str], colours: Sequence[str]) -> tuple[list[str], float]:
    drawn, x, y = list[str](), EDGE + 6.0, 22.0
    for name, colour in zip(names, colours, strict=True):
        words = shortened(name, 240, 12)
        step = 18 + text_width(words, 12) + 18
        if x + step > WIDTH - EDGE and x > EDGE + 6:
            x, y = EDGE + 6.0, y + 20
        sign = tag("rect", x=-6, y=-6, width=12, height=12, rx=2, fill=colour)
        drawn.append(tag("g", sign + text_at(12, 4, words, size=12), class_="legend", transform=moved(x, y)))
        x += step
    return drawn, y + 34


def _step(most: int) -> int:
    """A round step, of which at most six fit."""
    power: int = 10 ** max(0, len(str(most)) - 2)
    return next(power * digit for digit in (1, 2, 5, 10, 20, 50, 100) if power * digit * 6 >= most)
