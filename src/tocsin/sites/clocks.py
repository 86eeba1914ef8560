"""How far the clocks of other sites are from this one's, and with what error: Cristian's method, by messages.

A probe that comes back after d microseconds tells the other clock to within d / 2 (and no probe tells more). The
greatest distance with its error is the precision of the clocks as seen from here: what 2g-precedence has to be coarser
than (002 section 2), and by how much an event that is stamped here may be off (001 section 4.2).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

PROBES: Final = 8
"""Of so many probes of a clock the one that was back soonest counts: older ones tell of what has drifted since."""


@dataclass(frozen=True)
class Probe:
    """What a probe told: how far the other clock is ahead, and how wrong that may be."""

    offset: int
    error: int


@dataclass
class Clocks:
    """The clocks of other sites, as seen from one."""

    probes: dict[str, deque[Probe]] = field(default_factory=dict)
    _asked: deque[str] = field(default_factory=deque)

    def next_of(self, sites: list[str]) -> str | None:
        """Whose clock is to be asked next: each in turn."""
        if not sites:
            return None
        while self._asked:
            site = self._asked.popleft()
            if site in sites:
                return site
        self._asked.extend(sites)
        return self._asked.popleft()

    def answered(self, site: str, sent: int, there: int, now: int) -> None:
        """A probe is back: what the other clock showed in between."""
        probe = Probe(there - (sent + now) // 2, (now - sent + 1) // 2)
        self.probes.setdefault(site, deque(maxlen=PROBES)).append(probe)

    def offset(self, site: str) -> Probe | None:
        """How far a clock is ahead, by the probe that was back soonest."""
        return min(self.probes.get(site, ()), key=lambda probe: probe.error, default=None)

    @property
    def precision(self) -> int:
        """How far apart the clocks may be."""
        known = [probe for site in self.probes if (probe := self.offset(site)) is not None]
        return max((abs(probe.offset) + probe.error for probe in known), default=0)

    def saved(self) -> dict[str, Any]:
        """All of it, as plain values."""
        probes = {site: [[one.offset, one.error] for one in some] for site, some in self.probes.items()}
        return {"probes": probes, "asked": list(self._asked)}

    def restore(self, state: dict[str, Any]) -> None:
        """What `saved` gave."""
        for site, probes in state["probes"].items():
            self.probes[site] = deque((Probe(*one) for one in probes), maxlen=PROBES)
        self._asked = deque(state["asked"])

    def state(self) -> dict[str, Any]:
        """What is known, as plain values."""
        return {
            site: {"offset": probe.offset, "error": probe.error}
            for site in sorted(self.probes)
            if (probe := self.offset(site)) is not None
        }
