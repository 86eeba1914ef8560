"""What is kept of a notification on its way to a target, and of the target: rows of a store, plain JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class State(StrEnum):
    """Where a notification is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"
    """Given up, with the reason; it is kept, and can be sent again (redrive)."""
    CANCELLED = "cancelled"
    """Its request or its target went away first."""


class Health(StrEnum):
    """How a target does."""

    WORKING = "working"
    FAILING = "failing"
    """A notification was given up, and nothing was taken since: what follows is tried less often."""
    DISABLED = "disabled"
    """Nothing is sent until it is enabled; what there is waits."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One notification for one target of a request. Times are microseconds since 1970."""

    number: int
    """That of the detection in the store: notifications of a request are delivered in this order."""
    request: str
    target: int
    """Which of the request's callbacks it is for, from 0."""
    state: State
    attempts: int
    due: int
    """When it may be tried, if it is pending."""
    error: str | None
    """What the last attempt met, if it failed."""
    updated: int

    def to_json(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {**asdict(self), "state": self.state.value}

    @classmethod
    def of_json(cls, record: Mapping[str, Any]) -> Delivery:
        """What `to_json` gave."""
        return cls(**{**record, "state": State(record["state"])})


@dataclass(frozen=True, slots=True)
class TargetHealth:
    """How a target does, if it does not simply work, and why."""

    request: str
    target: int
    health: Health
    reason: str | None
    updated: int

    def to_json(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {**asdict(self), "health": self.health.value}

    @classmethod
    def of_json(cls, record: Mapping[str, Any]) -> TargetHealth:
        """What `to_json` gave."""
        return cls(**{**record, "health": Health(record["health"])})


Record: TypeAlias = Delivery | TargetHealth
"""A row that replaces the one of the same key: (number, request, target), or (request, target)."""


def pending(number: int, request: str, target: int, now: int) -> Delivery:
    """The record of a notification that is new."""
    return Delivery(number, request, target, State.PENDING, 0, now, None, now)
