"""The versions of the rules at work, each with what it changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tocsin.algebra.codec import content_hash
from tocsin.algebra.rules import Program


@dataclass(frozen=True)
class Change:
    """A version of the rules, and what it changed: the names of rules."""

    version: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Versions:
    """The versions so far; the last one is in force."""

    def __init__(self, program: Program) -> None:
        self.changes = [Change(1, added=tuple(rule.name for rule in program.rules))]
        self._hashes = _hashes(program)

    @property
    def current(self) -> int:
        """The version in force."""
        return self.changes[-1].version

    def note(self, program: Program) -> Change:
        """Other rules are in force."""
        change = _difference(self.current + 1, self._hashes, _hashes(program))
        self.changes.append(change)
        self._hashes = _hashes(program)
        return change

    def state(self) -> dict[str, object]:
        """The version in force and its rules, as JSON values."""
        return {"version": self.current, "rules": self._hashes}

    def restore(self, version: int, rules: Mapping[str, str]) -> None:
        """Goes on counting from a saved version; rules that are not those of that time are the next one."""
        if rules == self._hashes:
            self.changes = [Change(version, added=tuple(self._hashes))]
        else:
            self.changes = [Change(version), _difference(version + 1, rules, self._hashes)]


def _hashes(program: Program) -> dict[str, str]:
    return {rule.name: content_hash(rule) for rule in program.rules}


def _difference(version: int, old: Mapping[str, str], new: Mapping[str, str]) -> Change:
    return Change(
        version,
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(name for name in new.keys() & old.keys() if new[name] != old[name])),
        tuple(sorted(old.keys() - new.keys())),
    )
