"""When one stamp comes before another: points, intervals (001 appendix A) and 2g-precedence (002 section 4.1).

Here                     the paper
`Interval.lo`, `.hi`     001: t^l, t^h
`strongly_before`        001: t1 < t2, as Fig. 5 and its text have it; formula (3) as printed contradicts them
`weakly_before`          001: formula (4)
`union`                  001: formula (5)
`GlobalStamp`            002 definition 4.2: timestamp T = (base, interval, offset)
`primitive_stamp`        002 definition 4.3
`precedes`               002 definition 4.5: T1 < T2
`concurrent`             002 definition 4.5: T1 ~ T2
`join`                   002 definition 4.7: T1 union T2
`later_or_join`          002 definition 4.10: the stamp of the conjunction E1, E2
`latest_joined`          the same for more than two

Clock values are counted in ticks, so the papers' g is 1 and 2g is 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from tocsin.errors import UsageError


def before(a: int, b: int) -> bool:
    """Point order: equal instants are never before each other."""
    return a < b


@dataclass(frozen=True)
class Interval:
    """An interval stamp: the event occurred, or was occurring, from `lo` to `hi`."""

    lo: int
    hi: int

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            raise UsageError(f"an interval cannot end before it starts: [{self.lo}, {self.hi}]")


def strongly_before(a: Interval, b: Interval) -> bool:
    """Strong order: `a` is over before `b` begins, so it definitely came first. A partial order."""
    return a.hi < b.lo


def weakly_before(a: Interval, b: Interval) -> bool:
    """Weak order: by end, then by start. Total on (hi, lo); ties go on by source and arrival, which stamps lack."""
    return (a.hi, a.lo) < (b.hi, b.lo)


def union(a: Interval, b: Interval) -> Interval:
    """The least interval that covers both: a composite's stamp."""
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


@dataclass(frozen=True)
class GlobalStamp:
    """A 2g stamp: the clock ticks read at the sites that took part, which are at most one tick apart.

    Invariant: `interval` and every offset are 0 or 1, some offset is 0, and some is 1 just if `interval` is.
    """

    base: int
    interval: int
    offset: tuple[tuple[str, int], ...]
    """Each site with 0 or 1, sorted by site; the paper's partial function offset."""
    exact: tuple[tuple[str, int], ...]
    """Each site with its exact local time in microseconds, sorted by site; 002 note 3's "tag"."""

    @property
    def limit(self) -> int:
        """The greatest tick it covers (002: base + interval)."""
        return self.base + self.interval

    @property
    def sites(self) -> tuple[str, ...]:
        """The sites that took part, sorted (002: the set of T)."""
        return tuple([site for site, _ in self.offset])

    @property
    def time(self) -> int:
        """The exact time of the latest constituent kept in the stamp."""
        return max(time for _, time in self.exact)

    def localclock(self, site: str) -> int:
        """The tick read at a site that took part (002: localclock(s) = base + offset(s)); a KeyError at another."""
        for name, offset in self.offset:
            if name == site:
                return self.base + offset
        raise KeyError(site)


def primitive_stamp(site: str, time: int, granularity: int) -> GlobalStamp:
    """The stamp of a primitive event at `site`: the tick of its local time (002 definition 4.3)."""
    if granularity <= 0:
        raise UsageError("the granularity of the global clock must be more than zero")
    return GlobalStamp(time // granularity, 0, ((site, 0),), ((site, time),))


def precedes(a: GlobalStamp, b: GlobalStamp) -> bool:
    """Whether `a` came before `b`: by two ticks, or by one tick of a clock that both read (002 definition 4.5).

    Two stamps of one and the same site within one tick go by the exact local time (002 note 3).
    """
    if b.limit - a.base >= 2:
        return True
    if b.base == a.base + 1:
        clocks = {site: a.base + offset for site, offset in a.offset}
        return any(site in clocks and clocks[site] < b.base + offset for site, offset in b.offset)
    return a.base == b.base and len(a.exact) == 1 and a.sites == b.sites and a.exact < b.exact


def concurrent(a: GlobalStamp, b: GlobalStamp) -> bool:
    """Whether no order can be told, and what both took from one site is the same (002 definition 4.5). Not transitive.

    The paper asks that shared sites agree on the clock value "and therefore the associated primitive events";
    here they agree on the exact local time, which decides the clock value.
    """
    if b.limit - a.base >= 2 or a.limit - b.base >= 2:
        return False
    times = dict(a.exact)
    return all(times.get(site, time) == time for site, time in b.exact)


def join(a: GlobalStamp, b: GlobalStamp) -> GlobalStamp:
    """The stamp of two events that no order holds between: at each site the later clock (002 definition 4.7)."""
    if precedes(a, b) or precedes(b, a):
        raise UsageError("only stamps that are not in sequence can be joined")
    return _joined(a, b)


def later_or_join(a: GlobalStamp, b: GlobalStamp) -> GlobalStamp:
    """The stamp of a conjunction: the later of the two, or their join if neither is (002 definition 4.10)."""
    if precedes(a, b):
        return b
    return a if precedes(b, a) else _joined(a, b)


def latest_joined(stamps: Iterable[GlobalStamp]) -> GlobalStamp:
    """The stamp of several at once: the join of those that are not before another (SEMANTICS section 7, 2g).

    002 has it for two. What is before another leaves nothing in the stamp, whatever it is unordered with otherwise.
    """
    every = list(dict.fromkeys(stamps))
    kept = [one for one in every if not any(precedes(one, other) for other in every)]
    return reduce(_joined, kept)


def as_record(stamp: GlobalStamp) -> dict[str, object]:
    """The stamp as detections show it: `{base, interval, offset: {site: n}}`."""
    return {"base": stamp.base, "interval": stamp.interval, "offset": dict(stamp.offset)}


def _joined(a: GlobalStamp, b: GlobalStamp) -> GlobalStamp:
    """The join itself, for stamps known not to be in sequence.

    The later clock is the one with the later exact time, within a tick and beyond it, so both are kept together.
    """
    kept: dict[str, tuple[int, int]] = {}
    for stamp in (a, b):
        for (site, offset), (_, time) in zip(stamp.offset, stamp.exact, strict=True):
            clock = (stamp.base + offset, time)
            kept[site] = max(kept.get(site, clock), clock)
    clocks = [clock for clock, _ in kept.values()]
    base = min(clocks)
    sites = sorted(kept)
    return GlobalStamp(
        base,
        0 if max(clocks) == base else 1,
        tuple([(site, kept[site][0] - base) for site in sites]),
        tuple([(site, kept[site][1]) for site in sites]),
    )
