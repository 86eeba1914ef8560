"""How much rules may hold, and what happens where that is not enough.

A budget is a matter of the running engine, not of a rule's meaning: with room enough it changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tocsin.errors import UsageError

EXAMPLE = "rows=10000,bytes=64MB,policy=drop-oldest"
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


class Policy(StrEnum):
    """What gives way when a budget is used up."""

    REFUSE = "refuse"
    """The new event: the rule does not see it."""
    DROP_OLDEST = "drop-oldest"
    """What is held longest: the rule forgets it."""
    STOP = "stop"
    """The rule: it is stopped, and says so."""


@dataclass(frozen=True)
class Budget:
    """Events held (`rows`) and what they take in the engine's tables (`bytes`), at most."""

    rows: int | None = None
    bytes: int | None = None
    policy: Policy = Policy.STOP

    def __str__(self) -> str:
        limits = [] if self.rows is None else [f"{self.rows:,} rows"]
        limits += [] if self.bytes is None else [f"{self.bytes:,} bytes"]
        return " and ".join(limits)


@dataclass(frozen=True)
class Budgets:
    """What each rule may hold, those that are named, and all of them together."""

    each: Budget | None = None
    total: Budget | None = None
    rules: Mapping[str, Budget] = field(default_factory=dict)

    def of(self, rule: str) -> Budget | None:
        """The budget of a rule."""
        return self.rules.get(rule, self.each)


UNLIMITED = Budgets()


def budget_of(text: str) -> Budget:
    """`rows=N`, `bytes=N` with a unit, `policy=NAME`, with commas between them.

    >>> budget_of("rows=100, policy=refuse")
    Budget(rows=100, bytes=None, policy=<Policy.REFUSE: 'refuse'>)
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        key, is_set, value = (each.strip() for each in part.partition("="))
        if key not in ("rows", "bytes", "policy") or not is_set or key in found:
            raise UsageError(f"'{part.strip()}' is no part of a budget: write it as {EXAMPLE}")
        found[key] = value
    if found.keys() <= {"policy"}:
        raise UsageError(f"a budget limits rows or bytes, as in {EXAMPLE}, not '{text}'")
    policy = found.get("policy", Policy.STOP)
    if policy not in tuple(Policy):
        raise UsageError(f"there is no policy '{policy}': {', '.join(Policy)}")
    rows = _number(found["rows"], {"": 1}) if "rows" in found else None
    size = _number(found["bytes"], UNITS) if "bytes" in found else None
    return Budget(rows, size, Policy(policy))


def budgets_of(rules: Iterable[str], total: str | None, known: Iterable[str]) -> Budgets:
    """Budgets as they are asked for: each text is for all rules, or `NAME:...` for one of the `known`."""
    each: Budget | None = None
    own: dict[str, Budget] = {}
    names = tuple(known)
    for text in rules:
        name, is_own, rest = text.partition(":")
        if not is_own:
            each = budget_of(text)
        elif name in names:
            own[name] = budget_of(rest)
        else:
            raise UsageError(f"there is no rule '{name}' to give a budget to: {', '.join(names)}")
    return Budgets(each, None if total is None else budget_of(total), own)


def _number(text: str, units: Mapping[str, int]) -> int:
    match = re.fullmatch(r"(\d[\d_]*)\s*([A-Za-z]*)", text)
    if match is None or match[2].upper() not in units or int(match[1]) == 0:
        raise UsageError(f"'{text}' is no size of a budget: write it as {EXAMPLE}")
    return int(match[1]) * units[match[2].upper()]
