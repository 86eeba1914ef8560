"""Which parts can be cut off rules to run at other sites, and why not others: as lines and as plain data."""

from __future__ import annotations

from typing import Any

from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Program, Rule, shown_name
from tocsin.planner.cuts import Cut, cuts
from tocsin.planner.equalities import shown


def cutting_lines(program: Program) -> list[str]:
    """What can be cut off each rule, as text."""
    return [line for rule in _told(program) for line in _lines(program, rule)]


def _lines(program: Program, rule: Rule) -> list[str]:
    found = cuts(program, rule)
    context = (rule.context or LANGUAGE_CONTEXTS[rule.language]).value
    count = len(found.cuts)
    said = f"{count} part{'' if count == 1 else 's'} can be cut off" if count else "runs whole"
    lines = [f"Rule '{shown_name(rule.name)}' ({context}): {said}."]
    lines += [f"  cut  {cut.text}   [{_types(cut)}]{_divided(cut)}" for cut in found.cuts]
    return [*lines, *(f"  no   {each.text}: {each.why}" for each in found.uncut), ""]


def _divided(cut: Cut) -> str:
    """By what a part can run in shares, or why it cannot."""
    if not cut.key:
        return f"   not in shares: {cut.undivided}"
    names = dict.fromkeys(shown(name) for _, name in cut.key)
    by = names if len(names) == 1 else [f"{kind}.{shown(name)}" for kind, name in cut.key]
    return f"   in shares by {', '.join(by)}"


def _types(cut: Cut) -> str:
    return ", ".join(sorted(cut.types))


def cutting_records(program: Program) -> list[dict[str, Any]]:
    """The same as JSON values."""
    return [_record(program, rule) for rule in _told(program)]


def _record(program: Program, rule: Rule) -> dict[str, Any]:
    found = cuts(program, rule)
    return {
        "rule": shown_name(rule.name),
        "context": (rule.context or LANGUAGE_CONTEXTS[rule.language]).value,
        "cuts": [
            {
                "text": cut.text,
                "types": sorted(cut.types),
                "key": {kind: shown(name) for kind, name in cut.key},
                "undivided": cut.undivided or None,
                "patterns": [str(each.pattern) for each in cut.program.rules if each.name not in cut.blockers],
                "absent": [str(each.pattern) for each in cut.program.rules if each.name in cut.blockers],
            }
            for cut in found.cuts
        ],
        "uncut": [{"text": each.text, "why": each.why} for each in found.uncut],
    }


def _told(program: Program) -> list[Rule]:
    return [rule for rule in program.rules if not rule.hidden]
