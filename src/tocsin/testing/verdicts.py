"""A case in a runtime: as it was given, and in other orders of arrival where it says how late events may be."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tocsin.algebra.notes import Notes
from tocsin.events import Arrival, Detection, Event
from tocsin.session import Session
from tocsin.testing.arrivals import Delays, Late, late_events, least, orders
from tocsin.testing.cases import USUAL, Case
from tocsin.testing.comparison import Comparison, compared, told
from tocsin.testing.runtimes import Log, RunResult, log_of, run, run_each, run_on_spark, session_of

PERMUTATIONS = 50
ON_SPARK = slice(1, 4)
"""Which of the orders a case is tried in on Spark: few of the extreme ones, for every order is some tasks there. They
show that Spark is right; whether the rule is, the other runtimes find out."""


@dataclass(frozen=True)
class Asked:
    """How cases are to be judged."""

    runtimes: tuple[str, ...] = ()
    permutations: int = PERMUTATIONS
    seed: int = 0

    def runtimes_for(self, case: Case) -> tuple[str, ...]:
        """Those that were asked for, else those that the case names, else the usual ones."""
        return self.runtimes or case.runtimes or USUAL


@dataclass(frozen=True)
class Misorder:
    """An order of arrival that changes what is detected: the least of its kind, where it could be made less."""

    arrivals: tuple[Event, ...]
    lost: tuple[Detection, ...]
    new: tuple[Detection, ...]
    is_least: bool


@dataclass(frozen=True)
class Outcome:
    """How a case did in a runtime."""

    case: Case
    runtime: str
    found: tuple[Detection, ...] = ()
    comparison: Comparison = field(default_factory=Comparison)
    misorder: Misorder | None = None
    orders: int = 0
    trouble: str | None = None
    notes: Notes = field(default_factory=Notes)
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether the case has passed."""
        return self.comparison.is_good and self.misorder is None and self.trouble is None


@dataclass(frozen=True)
class Trial:
    """A case in a runtime, and the orders it is tried in."""

    case: Case
    runtime: str
    delays: tuple[Delays, ...] = ()

    def logs(self) -> Iterator[Log]:
        """The case as it was given, then in every order."""
        session = session_of(self.case, self.runtime)
        yield log_of(self.case, session, self.case.given)
        if self.delays:
            late = late_events(self.case)
            for delays in self.delays:
                yield log_of(self.case, session, late.arriving(delays))


def trials(case: Case, asked: Asked) -> list[Trial]:
    """What is to be tried of a case."""
    found = []
    for runtime in asked.runtimes_for(case):
        delays: Sequence[Delays] = ()
        if case.delay is not None:
            delays = orders(late_events(case), asked.permutations, f"{asked.seed}:{case.name}")
            delays = delays[ON_SPARK] if is_spark(runtime) else delays
        found.append(Trial(case, runtime, tuple(delays)))
    return found


def is_spark(runtime: str) -> bool:
    """Whether a runtime runs all cases in one job."""
    return runtime.startswith("spark")


def judge(trial: Trial) -> Outcome:
    """A trial in this process."""
    begin = time.perf_counter()
    outcome = _refused(trial) or judged(trial, run_each(trial.logs()))
    return _timed(outcome, time.perf_counter() - begin)


def judge_on_spark(some: Sequence[Trial]) -> list[Outcome]:
    """Trials of one runtime of Spark's, all in one job; each is said to take its share of the time."""
    begin = time.perf_counter()
    refused = {place: outcome for place, trial in enumerate(some) if (outcome := _refused(trial)) is not None}
    logs = [list(trial.logs()) if place not in refused else [] for place, trial in enumerate(some)]
    together = [log for each in logs for log in each]
    found = iter(run_on_spark(together, some[0].runtime != "spark") if together else [])
    outcomes = [
        refused[place] if place in refused else judged(trial, [next(found) for _ in logs[place]])
        for place, trial in enumerate(some)
    ]
    share = (time.perf_counter() - begin) / max(1, len(some))
    return [_timed(outcome, share) for outcome in outcomes]


def judged(trial: Trial, found: Iterable[RunResult]) -> Outcome:
    """What is to be said of a trial, given what was found: as the case was given, then in every order."""
    case, runs = trial.case, iter(found)
    first = next(runs)
    if first.trouble is not None:
        return Outcome(case, trial.runtime, trouble=first.trouble)
    heard = case.heard(first.detections)
    comparison = Comparison(tuple(heard))
    trouble = None
    if case.error is not None:
        trouble = f"the rules were to be refused with '{case.error}', and they were accepted"
    elif case.expected.is_open:
        trouble = "nothing is expected yet: say what with 'expect', or let --update write what was found"
    else:
        comparison = compared(case.expected, heard, case.style)
    misorder, tried = None, 0
    if trouble is None and comparison.is_good:
        for delays, other in zip(trial.delays, runs, strict=False):
            tried += 1
            if other.trouble is not None:
                return Outcome(case, trial.runtime, tuple(heard), trouble=other.trouble, orders=tried)
            if _differs(case, heard, case.heard(other.detections)):
                misorder = _least(trial, delays, heard, case.heard(other.detections))
                break
    return Outcome(case, trial.runtime, tuple(heard), comparison, misorder, tried, trouble, first.notes)


def _least(trial: Trial, delays: Delays, heard: list[Detection], other: list[Detection]) -> Misorder:
    """The failing order made as small as can be. On Spark that would take a job a try: there the engine is asked."""
    case = trial.case
    late = late_events(case)
    session = session_of(case, "local" if is_spark(trial.runtime) else trial.runtime)

    def fails(candidate: Delays) -> bool:
        return _differs(case, heard, _heard_in(case, session, late, candidate))

    is_least = not is_spark(trial.runtime) or fails(delays)
    if is_least:
        delays = least(late, delays, fails)
        other = _heard_in(case, session, late, delays)
    lost, new = _difference(case, heard, other)
    return Misorder(tuple(late.arriving(delays)), tuple(lost), tuple(new), is_least)


def _heard_in(case: Case, session: Session, late: Late, delays: Delays) -> list[Detection]:
    arrivals: list[Arrival] = list(late.arriving(delays))
    return case.heard(run(log_of(case, session, arrivals)).detections)


def _differs(case: Case, heard: list[Detection], other: list[Detection]) -> bool:
    return Counter(told(one, case.style) for one in heard) != Counter(told(one, case.style) for one in other)


def _difference(case: Case, heard: list[Detection], other: list[Detection]) -> tuple[list[Detection], list[Detection]]:
    """The detections that only one of two runs has."""

    def only(some: list[Detection], others: list[Detection]) -> list[Detection]:
        left = Counter(told(one, case.style) for one in others)
        found = []
        for one in some:
            if left[told(one, case.style)] > 0:
                left[told(one, case.style)] -= 1
            else:
                found.append(one)
        return found

    return only(heard, other), only(other, heard)


def _refused(trial: Trial) -> Outcome | None:
    """A case whose rules were refused: that is all there is to it."""
    case = trial.case
    if case.refusal is None:
        return None
    assert case.error is not None
    if case.error in case.refusal:
        return Outcome(case, trial.runtime)
    return Outcome(case, trial.runtime, trouble=f"the rules are refused, but not with '{case.error}':\n{case.refusal}")


def _timed(outcome: Outcome, seconds: float) -> Outcome:
    return replace(outcome, seconds=seconds)
