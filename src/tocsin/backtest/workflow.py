"""The way through: rules and a history in, findings out. What differs between the engines is behind `Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from tocsin.algebra.arrival_queue import order_text
from tocsin.algebra.rules import Order, Program, Rule
from tocsin.backtest.costs import costs_of
from tocsin.backtest.findings import (
    ADDED,
    CHANGED,
    REMOVED,
    SIDES,
    UNCHANGED,
    Census,
    Costs,
    Difference,
    Findings,
    Outcome,
)
from tocsin.backtest.histories import History
from tocsin.backtest.keyed_detections import key_attributes
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.tallies import Chosen, by_id, example_of
from tocsin.backtest.words import definition_of
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.runtime.options import Options
from tocsin.session import Session

ENGINES: Final = ("spark", "local")
WITHOUT: Final = "a small history runs without it: --engine local"


class Backend(Protocol):
    """A history, and rules on it. What `detected` gives is the engine's own."""

    name: str

    def census(self, top: int) -> Census:
        """What the history holds."""

    def detected(self, session: Session, what: str) -> Any:
        """All detections of a session's rules; `what` the step is called while it lasts."""

    def outcomes(
        self, found: Any, definitions: Mapping[str, str], keys: Mapping[str, str], top: int
    ) -> tuple[Outcome, ...]:
        """What each rule has detected, without examples."""

    def examples(self, found: Any, most: int) -> Chosen:
        """A few detections of each rule."""

    def compared(self, old: Any, new: Any, most: int) -> tuple[dict[tuple[str, str], int], dict[str, Chosen]]:
        """How many detections of each rule are on each side, and a few of them."""

    def events(self, ids: Set[str]) -> list[Event]:
        """The events of these ids."""

    def sample(self, most: int) -> list[Event]:
        """The first events of the history."""

    def close(self) -> None:
        """Lets go of what is held."""


@dataclass(frozen=True)
class Asked:
    """What a backtest is to be about, besides the history."""

    program: Program
    rules: tuple[str, ...]
    """Where the rules are from."""
    against: Program | None = None
    old_rules: tuple[str, ...] = ()
    options: Options = Options(order=Order("guaranteed"))  # noqa: RUF009 - frozen, so shared safely
    """By default events are evaluated by their own times: files have no order of arrival."""
    by: str | None = None
    """The attribute that detections are counted by where a rule has no key."""
    title: str = ""
    examples: int = 3
    top: int = 10
    sample: int = 50_000
    """Events that costs are measured on; 0 for none."""


def backtest(asked: Asked, history: History, engine: str = "spark", watching: Watching | None = None) -> Findings:
    """Runs rules over a history."""
    session = Session(asked.program, asked.options)
    old = None if asked.against is None else Session(asked.against, asked.options)
    watching = Watching(False) if watching is None else watching
    with closing(_engine(engine, history, asked.by, watching)) as runs:
        found = runs.detected(session, "detecting")
        definitions = {rule.name: definition_of(rule) for rule in reporting(session.program)}
        keys = key_attributes(session.program)
        if asked.by is not None:
            keys = dict.fromkeys(definitions, asked.by) | keys
        outcomes = runs.outcomes(found, definitions, keys, asked.top)
        picked = runs.examples(found, asked.examples)
        counts, sided = dict[tuple[str, str], int](), dict[str, Chosen]()
        if old is not None:
            counts, sided = runs.compared(runs.detected(old, "detecting with the old rules"), found, asked.examples)
        events = by_id(runs.events(_needed([picked, *sided.values()])))
        differences = () if old is None else _differences(old.program, session.program, counts, sided, events)
        return Findings(
            asked.title or f"Backtest of {', '.join(asked.rules)}",
            asked.rules,
            asked.old_rules,
            ", ".join(history.paths),
            runs.name,
            order_text(asked.options.order),
            history.since,
            history.until,
            runs.census(asked.top),
            tuple(replace(one, examples=_examples(picked.get(one.rule, ()), events)) for one in outcomes),
            _costs(session, runs, asked.sample, watching),
            differences,
        )


def _engine(name: str, history: History, by: str | None, watching: Watching) -> Backend:
    if name == "local":
        from tocsin.backtest.embedded import Embedded

        return Embedded(history, by, watching)
    from tocsin.backtest.on_spark import OnSpark

    try:
        return OnSpark(history, by, watching)
    except UsageError as error:
        raise UsageError(f"{error}; {WITHOUT}" if "Java" in str(error) else str(error)) from None


def reporting(program: Program) -> tuple[Rule, ...]:
    """The rules whose detections are told."""
    return tuple(rule for rule in program.rules if not rule.hidden)


def _costs(session: Session, runs: Backend, most: int, watching: Watching) -> Costs | None:
    if not most:
        return None
    sample = runs.sample(most)
    with watching.step("measuring costs"):
        return costs_of(session, sample)


def _needed(chosen: Iterable[Chosen]) -> frozenset[str]:
    """The ids of all events that examples are made of."""
    return frozenset(
        name for some in chosen for found in some.values() for one in found for name in one.detection.events
    )


def _examples(found: Iterable[Any], events: Mapping[str, list[Event]]) -> tuple[Any, ...]:
    return tuple(example_of(one, events) for one in found)


def _differences(
    old: Program,
    new: Program,
    counts: Mapping[tuple[str, str], int],
    sided: Mapping[str, Chosen],
    events: Mapping[str, list[Event]],
) -> tuple[Difference, ...]:
    """Rule by rule, those of the new version first."""
    before = {rule.name: rule for rule in reporting(old)}
    after = {rule.name: rule for rule in reporting(new)}
    return tuple(
        Difference(
            name,
            _change(before.get(name), after.get(name)),
            definition_of(before[name]) if name in before else "",
            definition_of(after[name]) if name in after else "",
            {side: counts.get((name, side), 0) for side in SIDES},
            {side: _examples(sided[side].get(name, ()), events) for side in SIDES},
        )
        for name in dict.fromkeys([*after, *before])
    )


def _change(old: Rule | None, new: Rule | None) -> str:
    if old is None or new is None:
        return ADDED if old is None else REMOVED
    return UNCHANGED if old == new else CHANGED
