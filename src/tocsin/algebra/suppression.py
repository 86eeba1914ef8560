"""Suppression: of what a rule detects with one key, one in a length of time is told; the next tells how many were not.

Or each n-th, or the n-th alone: they are counted in a length of time that begins with the first of them.

It is about what is told, not about what is detected: nothing is used up by it, and a rule that uses another by name
sees all its composites. It goes by the time of what was detected, never by the clock, so that it is the same in every
runtime.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tocsin.algebra.firings import evaluated
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.rules import Rule, Suppress
from tocsin.events import Detection

_MANY: Final = 10_000
"""Keys of a rule after which those are looked through that have nothing more to tell."""


class Suppression:
    """Of every rule and key: the time of what was told last, or counted first, and how many were not told since."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str, tuple[int, int]]] = {}
        self._limits: dict[str, int] = {}

    def passed(self, rule: Rule, one: Occurrence, found: Detection, now: int) -> Detection | None:
        """The detection as it is told, or None."""
        if rule.suppress is None:
            return found
        told = self._told.setdefault(rule.name, {})
        key = repr([evaluated(guard, one, now) for guard in rule.suppress.by])
        last = told.get(key)
        span = rule.suppress.period.length()
        if rule.suppress.every or rule.suppress.nth:
            return self._counted(rule, rule.suppress, key, found)
        if last is not None and abs(found.time_us - last[0]) < span:
            told[key] = (last[0], last[1] + 1)
            return None
        told[key] = (found.time_us, 0)
        if len(told) > self._limits.get(rule.name, _MANY):
            self._forget(rule.name, found.time_us - span)
        return found if last is None or last[1] == 0 else replace(found, suppressed=last[1])

    def _counted(self, rule: Rule, suppress: Suppress, key: str, found: Detection) -> Detection | None:
        """The detection, if it is the one of its number."""
        told, span = self._told[rule.name], suppress.period.length()
        first, count = told.get(key, (found.time_us, 0))
        if abs(found.time_us - first) >= span:
            first, count = found.time_us, 0
        told[key] = (first, count + 1)
        if len(told) > self._limits.get(rule.name, _MANY):
            self._told[rule.name] = kept = {name: last for name, last in told.items() if last[0] > found.time_us - span}
            self._limits[rule.name] = max(_MANY, 2 * len(kept))
        if count + 1 != (suppress.every or suppress.nth):
            return None
        if suppress.every:
            del self._told[rule.name][key]
        return replace(found, suppressed=count) if count else found

    def _forget(self, name: str, before: int) -> None:
        """Drops the keys for which the next one is told anyway, and that have none to tell of."""
        kept = {key: last for key, last in self._told[name].items() if last[1] or last[0] > before}
        self._told[name] = kept
        self._limits[name] = max(_MANY, 2 * len(kept))

    def pending(self) -> dict[str, int]:
        """How many of each rule have not been told of yet."""
        counts = {name: sum([count for _, count in told.values()]) for name, told in self._told.items()}
        return {name: count for name, count in counts.items() if count}

    def forget(self, name: str) -> None:
        """A rule is gone, and what was told of it with it."""
        self._told.pop(name, None)
        self._limits.pop(name, None)

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            name: {key: [last[0], last[1]] for key, last in told.items()} for name, told in self._told.items() if told
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from what `state` told."""
        self._told = {name: {key: (last[0], last[1]) for key, last in told.items()} for name, told in state.items()}
