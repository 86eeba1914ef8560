"""The machine's clock as a site has it: microseconds since 1970, and never back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_FAR_BACK: Final = 1_000_000
"""So far back that somebody ought to know."""


class WallClock:
    """What time it is. A clock that is set back stands until it has caught up, and that is said once."""

    def __init__(self, say: Callable[[str], None], since: int = 0, wall: Callable[[], int] = time.time_ns) -> None:
        self._say, self._last, self._wall = say, since, wall
        self._is_back = False

    def __call__(self) -> int:
        """The time now."""
        now = self._wall() // 1000
        if now >= self._last:
            self._last, self._is_back = now, False
        elif self._last - now > _FAR_BACK and not self._is_back:
            self._is_back = True
            behind = (self._last - now) / 1e6
            self._say(f"this machine's clock was set back by {behind:.1f} seconds: time stands still here until then")
        return self._last
