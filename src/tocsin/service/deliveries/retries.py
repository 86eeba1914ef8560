"""When a notification is tried again: soon at first, then ever more rarely, for three days; then it is a dead letter.

    after the first attempt 2 s, then 10 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h

Each pause is up to a fifth shorter or longer, so that what failed together does not come again together. By how much
depends on nothing but the notification and the attempt: the same after a restart, and in a simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

PAUSES: Final = (
    2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE,
    2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR,
)  # fmt: skip

DAYS: Final = 4 * 24 * HOUR
"""Time for all of them."""


@dataclass(frozen=True)
class Schedule:
    """The pauses between attempts, in microseconds."""

    pauses: tuple[int, ...] = PAUSES
    jitter: float = 0.2
    """How much of a pause may be added to it or taken away."""
    longest: int = 24 * HOUR
    """What a receiver may ask for (Retry-After), at most."""
    while_failing: int = 2
    """Attempts for what comes after a notification that was given up, until one is taken: else a queue behind a
    receiver that is gone would take days for each."""

    def attempts(self, *, is_failing: bool = False) -> int:
        """How many attempts there are in all."""
        every = len(self.pauses) + 1
        return min(self.while_failing, every) if is_failing else every

    def pause(self, attempt: int, seed: str, retry_after: float | None = None) -> int:
        """How long to wait after the attempt of that number, from 1. What the receiver asks for is waited for, within
        bounds, but nothing is tried sooner than otherwise: three days of attempts shall last three days."""
        usual = self.pauses[min(attempt, len(self.pauses)) - 1] if self.pauses else 0
        pause = int(usual * (1 + self.jitter * (2 * _share(attempt, seed) - 1)))
        if retry_after is None or not retry_after > 0:
            return pause
        return max(pause, int(min(retry_after * SECOND, self.longest)))

    @property
    def most(self) -> int:
        """The longest pause there can be."""
        return max(self.longest, int(max(self.pauses, default=0) * (1 + self.jitter)))


def schedule_of(span: int) -> Schedule:
    """The usual pauses, as many as there is time for."""
    pauses, passed = list[int](), 0
    for pause in PAUSES:
        passed += pause
        if passed > span:
            break
        pauses.append(pause)
    return Schedule(tuple(pauses), longest=min(span, Schedule.longest))


def _share(attempt: int, seed: str) -> float:
    """A number from 0 to 1 that looks like chance."""
    digest = blake2b(f"{attempt}/{seed}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / (1 << 48)
