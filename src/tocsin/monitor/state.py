"""What there is to show of a monitor, as plain values: the same for one in this process and for one of a service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tocsin.algebra.rules import Declaration, Define, Rule
from tocsin.errors import RuleError
from tocsin.languages.gem import render_script
from tocsin.monitor.commanded_rules import CommandedRules

FIGURES: Final = ("seen", "late", "held", "refused")
"""What is told of a rule that sees events."""


@dataclass(frozen=True)
class EventClass:
    """A declared class: its declaration, and how many events of it came."""

    name: str
    declaration: str
    taken: int


@dataclass(frozen=True)
class RuleState:
    """A rule: how it is written, whether it sees events, and what it did."""

    name: str
    text: str
    enabled: bool
    hidden: bool
    reports: int
    figures: Mapping[str, int]
    """Of those that see events: what the engine has of them."""


@dataclass(frozen=True)
class MonitorState:
    """A monitor at a moment; `now` is the clock of its rules, in microseconds since 1970, once that runs."""

    now: int | None
    events: tuple[EventClass, ...]
    rules: tuple[RuleState, ...]
    taken: int
    reported: int
    held: int
    refused: int
    """Lines that were no events."""
    reasons: Mapping[str, int]
    """How much was refused or dropped, by reason."""
    ignored: Mapping[str, int]
    """Events of undeclared classes."""
    warnings: tuple[str, ...]


def state_of(rules: CommandedRules) -> MonitorState:
    """How commanded rules are just now."""
    counts, notes, stats = rules.counts, rules.notes, rules.stats()
    told, held = stats["rules"], stats["held"]
    assert isinstance(told, dict)
    assert isinstance(held, int)
    enabled = set(rules.enabled)
    return MonitorState(
        rules.now,
        tuple(EventClass(name, declared_text(each), counts.taken[name]) for name, each in rules.declared.items()),
        tuple(
            RuleState(
                name,
                rule_text(rule),
                name in enabled,
                rule.hidden,
                counts.reported[name],
                {key: told[name][key] for key in FIGURES if key in told[name]} if name in told else {},
            )
            for name, rule in rules.rules.items()
        ),
        counts.taken.total(),
        counts.reported.total(),
        held,
        counts.refused,
        dict(notes.refused + notes.dropped),
        dict(notes.ignored),
        tuple(notes.warnings),
    )


def declared_text(declaration: Declaration) -> str:
    """A declaration as it can be typed."""
    return render_script([declaration]).strip()


def rule_text(rule: Rule) -> str:
    """A rule as it can be typed; one that GEM has no words for, by its language."""
    try:
        return render_script([Define(rule)]).rstrip()
    except RuleError:
        return f"rule {rule.name}, in {rule.language}"
