"""The spine: rules and events in, detections out. Read this first; each step is one call into one package.

    text --languages.parse--> patterns --rules.loader--> a program --Session--> sound, or all its faults
    file --formats.read_events--> arrivals --Session.detections--> detections, in order of detection

`api.detect` and `commands/detect` do both. A session is what is left of the first line: a checked program with its
options, ready to be given events. The second line is `Runtime`, which `planner.plan` and the engine are behind.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from tocsin.algebra.amendments import amended
from tocsin.algebra.checks import check
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rule_warnings import program_doubts
from tocsin.algebra.rules import BEST_EFFORT, Program
from tocsin.errors import Fault
from tocsin.events import Arrival, Detection, Event
from tocsin.formats.blocks import Parcel
from tocsin.formats.instants import TimeStyle
from tocsin.rules.programs import only_rules
from tocsin.runtime import Runtime
from tocsin.runtime.clocks import by_clock
from tocsin.runtime.columnar import detections_of_parcels, lines_of_parcels, takes_parcels
from tocsin.runtime.forecast import MANY, Forecast, forecast, may_combine
from tocsin.runtime.logs import driven
from tocsin.runtime.options import Options, check_options, completed

_MOST_FORECASTS: Final = 20
"""Rules that are tried out before a run."""


class Session:
    """A checked program with its options. `detections` can be asked again for other events."""

    def __init__(self, program: Program, options: Options = Options()) -> None:  # noqa: B008 - frozen, so shared safely
        check_options(program, options)
        self.options = options
        self.program = completed(program, options)
        check(self.program)

    @property
    def doubts(self) -> list[Fault]:
        """Warnings about the rules."""
        return program_doubts(self.program)

    def detections(self, events: Iterable[Arrival], notes: Notes | None = None) -> Iterator[Detection]:
        """Every detection on the events, in order of detection; with `amend`, amendments of earlier ones among them."""
        if self.options.engine == "replay":
            return self._replayed(events, Notes() if notes is None else notes)
        if any(group.order.policy == "guaranteed" for group in by_clock(self.program, self.options.order)):
            events = list(events)  # whom it waits for is known beforehand
        sources = dict.fromkeys(each.source for each in events) if isinstance(events, list) else ()
        runtime = Runtime(self.program, self.options, sources=sources, notes=notes)
        return driven(runtime, events, self.options.batch, self.options.until)

    @property
    def takes_parcels(self) -> bool:
        """Whether events may come many at a time: there is one clock, of arrivals, and rules that only tell."""
        options = self.options
        if options.engine != "local" or options.amend is not None or options.ignore_late:
            return False
        groups = by_clock(self.program, options.order)
        is_plain = len(groups) == 1 and groups[0].order == BEST_EFFORT
        return is_plain and takes_parcels(groups[0].program, options.granularity)

    def detections_of_parcels(self, parcels: Iterable[Parcel], notes: Notes | None = None) -> Iterator[Detection]:
        """As `detections`, for events that come many at a time, as columns."""
        (group,) = by_clock(self.program, self.options.order)
        found = detections_of_parcels(group.program, parcels, notes=notes, **self._way())
        return (one for one in found if one.rule in group.heard)

    def lines_of_parcels(
        self, parcels: Iterable[Parcel], style: TimeStyle, notes: Notes | None = None, is_prompt: bool = True
    ) -> Iterator[str]:
        """The same detections as lines of JSON, which are made of columns where possible.

        Where nobody waits for the next of them (not `is_prompt`) they come many at a time.
        """
        (group,) = by_clock(self.program, self.options.order)  # one, so that all of its rules are heard
        return lines_of_parcels(group.program, parcels, style, notes=notes, is_prompt=is_prompt, **self._way())

    def _way(self) -> dict[str, Any]:
        options = self.options
        return {"granularity": options.granularity, "until": options.until, "budgets": options.budgets}

    @property
    def may_combine(self) -> bool:
        """Whether there is a rule that tells every combination."""
        return any(may_combine(rule) and not rule.hidden for rule in self.program.rules)

    def forecasts(self, sample: Sequence[Event]) -> list[Forecast]:
        """What each rule that tells every combination may find in events like these, where that is a great deal."""
        found: list[Forecast] = []
        for rule in self.program.rules:
            if may_combine(rule) and not rule.hidden and len(found) < _MOST_FORECASTS:
                alone = only_rules(self.program, {rule.name})
                found.append(forecast(rule.name, alone, sample, self.options.granularity))
        return [each for each in found if each.combinations >= MANY]

    # -- the judge ---------------------------------------------------------------------------------------------------

    def _replayed(self, events: Iterable[Arrival], notes: Notes) -> Iterator[Detection]:
        """The same by the plain meaning, clock by clock. What one clock counts, the others count too: once is told."""
        options = self.options
        if options.amend is not None:
            how = {"granularity": options.granularity, "until": options.until}
            yield from amended(self.program, events, within=options.amend, **how, notes=notes)
            return
        groups = by_clock(self.program, options.order)
        log = events if len(groups) == 1 else list(events)
        apart = [notes, *(Notes() for _ in groups[1:])]
        runs = [
            replay(
                group.program,
                log,
                order=group.order,
                granularity=options.granularity,
                until=options.until,
                ignore_late=options.ignore_late,
                notes=own,
            )
            for group, own in zip(groups, apart, strict=True)
        ]
        told = [_only_of(run, group.heard) for run, group in zip(runs, groups, strict=True)]
        yield from heapq.merge(*told, key=lambda detection: detection.detected_us)
        for own in apart[1:]:
            notes.unite(own)


def _only_of(found: Iterable[Detection], rules: frozenset[str]) -> Iterator[Detection]:
    return (one for one in found if one.rule in rules)


def only_events(arrivals: Iterable[Arrival], each: Callable[[Event], None]) -> Iterator[Arrival]:
    """The arrivals as they pass, with each event shown to `each`: for progress and pictures."""
    for arrival in arrivals:
        if isinstance(arrival, Event):
            each(arrival)
        yield arrival
