"""Where and among what a pattern is looked for: the history of events, the stretch of time, the variables around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from tocsin.algebra.aggregates import Gauge
from tocsin.algebra.occurrence import Bound, Occurrence, Tick
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.values import Surroundings
from tocsin.events import Event

Arrival = Event | Tick
FAR = 1 << 62
"""Further away than any time."""


@dataclass
class History:
    """The events a rule can use now, the clock, and how time is stamped."""

    events: list[Event]
    now: int
    settled: int = FAR
    """Windows that end at or before this are over: no event can still fall into them."""
    granularity: int | None = None
    """The tick of the 2g model in microseconds, or None for point and interval time."""
    declared: frozenset[str] | None = None
    """What `*` stands for; None for every type."""
    around: Surroundings = field(default_factory=Surroundings)
    used: list[Event] = field(default_factory=list)
    """What the rule has used up and has still occurred: absences see it (SEMANTICS section 7), nothing else does."""
    gauges: dict[Pattern, Gauge] = field(default_factory=dict, repr=False)
    """What is known of the aggregates of a pattern by now: of those that are not here it is told from the events."""
    _by_type: dict[str, list[Event]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.around.now = self.now
        for event in self.events:
            self._by_type.setdefault(event.type, []).append(event)

    def of_type(self, name: str) -> list[Event]:
        """The events of one type."""
        return self._by_type.get(name, [])

    def without(self, event: Event) -> History:
        """The same as if an event had not come."""
        return self._of([one for one in self.events if one != event], self.used)

    def with_used(self) -> History:
        """The same with what is used up."""
        return self._of(self.events + self.used, []) if self.used else self

    def _of(self, events: list[Event], used: list[Event]) -> History:
        known = (self.granularity, self.declared, self.around, used, self.gauges)
        return History(events, self.now, self.settled, *known)


@dataclass(frozen=True)
class Stretch:
    """Where in time a pattern is looked for: events from `first` to `last`, both included.

    `front` and `back` are the nominal ends, which a fluid end takes; `closing` is the window that ends at `back`,
    if that is still a moment to wait for and not the time of a neighbouring event.
    """

    first: int = -FAR
    last: int = FAR
    front: int = -FAR
    back: int = FAR
    closing: Tick | None = None

    def after(self, end: int) -> Stretch:
        """The part that follows an event which ends at `end`."""
        return replace(self, first=max(self.first, end + 1), front=end)

    def until(self, start: int) -> Stretch:
        """The part that precedes an event which begins at `start`."""
        return replace(self, last=min(self.last, start - 1), back=start, closing=None)


ALL_TIME = Stretch()


Search = Callable[[Pattern, "Scene", "Arrival | None"], Iterable[Occurrence]]
"""How occurrences are found: `meaning.find`, handed down so that the shapes can be told in files of their own."""


@dataclass(frozen=True)
class Scene:
    """Where and among what a pattern is looked for. `variables` are those bound around it (004: by a neighbour)."""

    history: History
    search: Search
    stretch: Stretch = ALL_TIME
    variables: Mapping[str, Bound] = field(default_factory=dict)
    news: Arrival | None = None
    """What has just arrived: of the runs that contain it only one is completed by it."""

    def find(self, pattern: Pattern, arrival: Arrival | None = None) -> Iterable[Occurrence]:
        """The occurrences of `pattern` here that contain `arrival`, if one is given."""
        return self.search(pattern, self, arrival)

    def inside(self, stretch: Stretch, beside: Occurrence | None = None) -> Scene:
        """The same history in another stretch, with the variables of a neighbour known."""
        known = {**self.variables, **beside.variables()} if beside else self.variables
        return Scene(self.history, self.search, stretch, known, self.news)

    def anywhere(self) -> Scene:
        """The same history in all time."""
        return self.inside(ALL_TIME)

    def with_used(self) -> Scene:
        """Where to look for what must be absent: among what is used up, too."""
        return replace(self, history=self.history.with_used()) if self.history.used else self
