"""What rules that run ask of whoever looks for their patterns: the plain meaning does, and the engine does.

A script is run by an `Interpreter`, and what comes is put before the rules by an `Evaluation`. Both are the same for
everyone; a `Finder` is who differs.
"""

from __future__ import annotations

from tocsin.algebra.detectors import Detector, Due
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Rule
from tocsin.events import Event

Fired = list[tuple[Rule, Occurrence]]
"""Rules with what they fire for, in the order in which they act."""


class Finder:
    """Finds what rules fire for."""

    # -- rules ---------------------------------------------------------------------------------------------------

    def begun(self, rule: Rule) -> Detector:
        """What runs a rule that is enabled now."""
        raise NotImplementedError

    def ended(self, name: str, one: Detector) -> None:
        """A rule was disabled: what it remembered is discarded."""
        raise NotImplementedError

    def rung_by(self, one: Detector) -> list[Pattern]:
        """The exact time points of a rule that have occurred."""
        raise NotImplementedError

    def declared(self, classes: frozenset[str]) -> None:
        """The declared classes are others now."""
        raise NotImplementedError

    # -- events one by one ---------------------------------------------------------------------------------------

    def shown(self, event: Event) -> Fired:
        """Lets every enabled rule see an event."""
        raise NotImplementedError

    # -- events that come together -------------------------------------------------------------------------------

    def gather(self) -> None:
        """Something comes that rules take together, those that feed others first."""
        raise NotImplementedError

    def numbered(self, event: Event) -> Event:
        """An event as rules see it: with its place in the order in which events are taken up."""
        raise NotImplementedError

    def met(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        """What a rule fires for, of some events that come together, and of windows that are `over`."""
        raise NotImplementedError

    def is_due(self, one: Detector) -> bool:
        """Whether a moment has come that a rule waited for."""
        raise NotImplementedError

    def settle(self) -> None:
        """All rules have taken what came together."""
        raise NotImplementedError

    # -- time ----------------------------------------------------------------------------------------------------

    def due_next(self, with_periodic: bool) -> tuple[Due, str] | None:
        """What is due next, and a name for whose it is."""
        raise NotImplementedError

    def woken(self, due: Due, name: str) -> Fired:
        """A moment has come: what the rules fire for."""
        raise NotImplementedError
