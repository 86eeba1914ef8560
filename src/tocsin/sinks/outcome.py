"""What became of messages that were sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeadLetter:
    """A message that will not be taken, and why."""

    body: bytes
    reason: str


@dataclass(frozen=True)
class Outcome:
    """How many messages were taken, how often something had to be sent again, and what was not taken at all."""

    taken: int
    retries: int = 0
    dead: tuple[DeadLetter, ...] = ()
