"""Time: instants, periods, time points, the order of stamps, and the clocks that detection runs on.

    gregorian   the calendar as arithmetic            scanner    a cursor that says what is wrong and where
    periods     lengths of time                       spans      ... as text
    points      time points, exact and partial        calendar   ... as text
    instants    microseconds since 1970 as text       stamps     what comes before what: point, interval, 2g
    clocks      wall clock and virtual clock

All times are integer microseconds since 1970 (UTC).
"""

from tocsin.time.calendar import (
    TimePoint,
    full_year,
    parse_instant,
    parse_time_point,
    render_instant,
    render_time_point,
    validate,
)
from tocsin.time.clocks import Clock, VirtualClock, WallClock
from tocsin.time.spans import (
    DAY,
    HOUR,
    MINUTE,
    MSEC,
    SECOND,
    UNITS,
    WEEK,
    Period,
    human_period,
    parse_period,
    render_eps_span,
    render_period,
)
from tocsin.time.stamps import (
    GlobalStamp,
    Interval,
    as_record,
    before,
    concurrent,
    join,
    later_or_join,
    precedes,
    primitive_stamp,
    strongly_before,
    union,
    weakly_before,
)

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "MSEC",
    "SECOND",
    "UNITS",
    "WEEK",
    "Clock",
    "GlobalStamp",
    "Interval",
    "Period",
    "TimePoint",
    "VirtualClock",
    "WallClock",
    "as_record",
    "before",
    "concurrent",
    "full_year",
    "human_period",
    "join",
    "later_or_join",
    "parse_instant",
    "parse_period",
    "parse_time_point",
    "precedes",
    "primitive_stamp",
    "render_eps_span",
    "render_instant",
    "render_period",
    "render_time_point",
    "strongly_before",
    "union",
    "validate",
    "weakly_before",
]
