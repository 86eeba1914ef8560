"""Whoever watches a run: told what the rules were shown, when each was enabled, and what it did with what it saw.

A run that nobody watches pays for it with one look at None. This one keeps nothing; `tocsin.reasons` has one that does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the watched know the watcher, so it can only speak of them by name
    from tocsin.algebra.automaton_runs import Branch, Machine
    from tocsin.algebra.contexts import Node
    from tocsin.algebra.detectors import Detector
    from tocsin.algebra.occurrence import Occurrence
    from tocsin.algebra.rules import Rule
    from tocsin.events import Detection, Event


class Witness:
    """Hears what happens in a run, as it happens."""

    def shown(self, event: Event, now: int) -> None:
        """The enabled rules are about to see an event."""

    def fired(self, rule: Rule, one: Occurrence, now: int, clock: int, made: list[Detection]) -> None:
        """A rule fired, and what it reported."""

    def enabled(self, detector: Detector, now: int) -> None:
        """A rule begins to see events."""

    def disabled(self, name: str, now: int) -> None:
        """A rule stops seeing events, and forgets."""

    def took(self, node: Node, one: Occurrence, partners: list[Occurrence]) -> None:
        """A consuming node combined what came with what waited, and used both up."""

    def replaced(self, node: Node, one: Occurrence, older: list[Occurrence]) -> None:
        """In `recent`, what came took the place of what waited; or nothing waits, and it came too late itself."""

    def left(self, machine: Machine, branch: Branch, event: Event | None, fails: bool) -> None:
        """An event made a branch of an automaton fail, or came too late for it; without one it left the window."""

    def entered(self, machine: Machine, before: Branch, after: Branch) -> None:
        """A branch of an automaton went on."""
