"""A timeline as SVG: events in lanes above, each rule's detections below, joined to the events they are made of.

Any text may come in, as ids and names are the users'; what goes out is always well-formed XML that needs nothing
else to be shown. Crowds are thinned out (smaller dots, no labels, caps), and the line under the title says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from tocsin.events import Detection, Event
from tocsin.time.gregorian import MONTHS, date_from_days, days_from_date
from tocsin.time.spans import DAY, HOUR, MINUTE, MSEC, SECOND

ShowTime = Callable[[int], str]

MOST_DETECTIONS: Final = 200
MOST_EVENTS: Final = 5_000
MOST_LINKS: Final = 2_000
MOST_LANES: Final = 30
LABELLED: Final = 150
"""With more events than this, dots have no labels."""

WIDTH: Final = 1200
EDGE: Final = 24
# Okabe and Ito's palette, which most colour-blind people can tell apart; its vermilion is kept for detections, its
# yellow is lost on white. Beyond seven types the shapes differ.
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#5D3A9B", "#7A7A7A")
ALARM: Final = "#D55E00"
INK, GREY, RULE, STRIPE = "#1F2933", "#66727F", "#DDE2E8", "#F6F8FA"
BELL: Final = "M-7,4.5C-4.8,2.6-4.6,0-4.4,-2.4A4.4,4.4 0 0 1-1.2,-6.4A1.2,1.2 0 0 1 1.2,-6.4A4.4,4.4 0 0 1 4.4,-2.4C4.6,0 4.8,2.6 7,4.5ZM-2,5.6A2,2 0 0 0 2,5.6Z"
FONT: Final = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CALENDAR: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_DECIMAL: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_SIXTIETHS: Final = (1, 2, 5, 10, 15, 30)
_UNITS: Final = ((1, _DECIMAL), (MSEC, _DECIMAL), (SECOND, _SIXTIETHS), (MINUTE, _SIXTIETHS), (HOUR, (1, 2, 3, 6, 12)))
_CLOCK_STEPS: Final = tuple(unit * count for unit, counts in (*_UNITS, (DAY, (1, 2, 7))) for count in counts)
_MONDAY: Final = 4 * DAY  # 1970 began on a Thursday


@dataclass
class _Mark:
    """One event or detection on the picture: from `left` to `x`, drawn as far as `reach`, then its label."""

    of: Event | Detection
    lane: str
    left: float
    x: float
    reach: float
    label: str
    y: float = 0.0


@dataclass
class _Row:
    """One line of marks within a lane: where its last mark ends, without and with its label."""

    marks: list[_Mark] = field(default_factory=list)
    bare: float = float("-inf")
    labelled: float = float("-inf")


@dataclass(frozen=True)
class _Lane:
    name: str
    top: float
    height: float


@dataclass(frozen=True)
class _Scale:
    """From instants to places across the picture."""

    low: int
    high: int
    left: float
    right: float

    def x(self, instant: int) -> float:
        """What is later than the picture reaches stands at its right edge."""
        if self.low == self.high:
            return (self.left + self.right) / 2
        return self.left + (self.right - self.left) * ((min(instant, self.high) - self.low) / (self.high - self.low))


def draw_timeline(events: Sequence[Event], detections: Sequence[Detection], show_time: ShowTime, *, title: str = "") -> str:
    """The picture, as the text of an SVG file."""
    drawn = sorted(sorted(detections, key=lambda one: one.time)[:MOST_DETECTIONS], key=lambda one: one.start)
    chosen = _chosen(events, drawn)
    counts = f"{_count(len(chosen), len(events), 'event')}, {_count(len(drawn), len(detections), 'detection', 'first ')}"
    ...
