"""Who is told of what rules at work find: in order, one thing after the other, and outside any lock.

Whoever drives the rules `add`s what there is to tell while nobody else can drive them, so the order is that of
detection, and lets it be told (`tell`) when others may drive them again. A listener may take its time, or drive the
rules itself: what that leads to is told after what is being told.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Told = TypeVar("Told")


class Audience(Generic[Told]):
    """Listeners, and what they have not been told yet."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[Told], None]] = []
        self._waiting: deque[Told] = deque()
        self._teller = threading.Lock()

    def add(self, news: Iterable[Told]) -> None:
        """Something is to be told, after what waits already."""
        self._waiting.extend(news)

    def tell(self) -> None:
        """Tells what waits, unless somebody is doing so: then they tell this, too."""
        while self._waiting and self._teller.acquire(blocking=False):
            try:
                self._tell_all()
            finally:
                self._teller.release()
            # What was added since the last look, by one who found the teller busy, is told in another turn.

    def _tell_all(self) -> None:
        while self._waiting:
            one = self._waiting.popleft()
            for listener in list(self.listeners):
                listener(one)
