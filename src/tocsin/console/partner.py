"""Whom a console talks to: a monitor in this process, or that of a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from tocsin.algebra.rules import Declaration
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.monitor.commanded_rules import Reply
from tocsin.monitor.state import MonitorState
from tocsin.time.clocks import Clock


class Partner(Protocol):
    """A monitor that can be talked to."""

    @property
    def clock(self) -> Clock | None:
        """The clock that goes by itself, if one does."""

    @property
    def style(self) -> TimeStyle:
        """How times are written."""

    @property
    def listeners(self) -> list[Callable[[Detection], None]]:
        """Told of every detection, in order."""

    @property
    def warned(self) -> list[Callable[[str], None]]:
        """Told of what should be known and is no detection."""

    @property
    def declared(self) -> Mapping[str, Declaration]:
        """The declared event classes by name."""

    @property
    def rules(self) -> Iterable[str]:
        """The names of the defined rules, in order of definition."""

    @property
    def recent(self) -> Iterable[Detection]:
        """The last detections."""

    @property
    def now(self) -> int | None:
        """The clock of the rules; None before it has started."""

    @property
    def has_stopped(self) -> bool:
        """Whether `stop` was said."""

    def state(self) -> MonitorState:
        """What there is to show besides."""

    def command(self, text: str) -> Reply:
        """Does what a GEM text says."""

    def line(self, text: str) -> Sequence[Detection]:
        """Takes an event that is written as a JSON object."""

    def advance(self, to: int) -> Sequence[Detection]:
        """Lets the clock reach a time, where it does not go by itself."""
