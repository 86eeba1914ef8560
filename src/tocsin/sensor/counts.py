"""What became of a sensor's events, in numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Counts:
    """Events since the sensor was made."""

    sent: int = 0
    """Taken by `send`."""
    accepted: int = 0
    """Taken by the service."""
    duplicates: int = 0
    """Taken before: an answer was lost, and the events were sent again."""
    refused: int = 0
    """Refused by the service, and kept as dead letters if there is a file for them."""
    lost: int = 0
    """Given up because there was no room, or because they could not be written."""
    retries: int = 0
    """Requests that failed, and were made again."""


@dataclass(frozen=True)
class Stats:
    """The counts of a moment, and what waits."""

    sent: int
    accepted: int
    duplicates: int
    refused: int
    lost: int
    retries: int
    waiting: int
    """Events that wait to be sent."""
    waiting_bytes: int
    trouble: str
    """Why nothing can be sent at the moment; nothing if all is well."""
    uncertainty: float | None
    """The width of the interval in which the service's time is known to lie, in seconds; nothing if it is not known."""
    clock_jumps: int
    """How often the service's time contradicted what was known of it."""
