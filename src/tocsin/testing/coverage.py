"""Which rules have ever fired in the cases, and which of their alternatives.

A rule that reports nothing (it triggers an event, or enables another rule) fires all the same: it is watched by giving
it something to report. An alternative counts as fired if the rule with that alternative alone, looking at all
combinations, finds something that the rule itself found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tocsin.algebra.patterns import Alternation, Automaton, Either, Pattern, children, rebuild, walk
from tocsin.algebra.rules import Context, Define, Forward, Notify, Program, Rule, Statement
from tocsin.errors import TocsinError
from tocsin.events import Detection
from tocsin.runtime.clocks import by_order
from tocsin.runtime.logs import detections
from tocsin.runtime.options import completed
from tocsin.testing.cases import Case

WATCHED = "tocsin fired"
"""What a rule that reports nothing is made to report: no class of events is called so."""


@dataclass
class Branch:
    """An alternative of a rule: its text, and whether it has fired."""

    text: str
    line: int | None = None
    fired: int = 0


@dataclass
class Covered:
    """A rule of the files under test: in how many cases it took part, in how many it fired, its alternatives."""

    file: str
    rule: str
    cases: int = 0
    fired: int = 0
    detections: int = 0
    branches: list[Branch] = field(default_factory=list)


class Coverage:
    """What the cases so far have made of the rules."""

    def __init__(self, with_branches: bool = False) -> None:
        self.with_branches = with_branches
        self.rules: dict[tuple[str, str], Covered] = {}

    def note(self, case: Case, found: Sequence[Detection]) -> None:
        """A case and what was found in it: all that is known of rules that report, at no cost."""
        if case.refusal is None:
            for rule in case.program.rules:
                if not rule.hidden and (not rule.actions or _reports(rule)):
                    self._count(rule, case, [one for one in found if one.rule == rule.name])

    def _count(self, rule: Rule, case: Case, own: list[Detection]) -> Covered:
        covered = self._covered(rule, case)
        covered.cases += 1
        covered.fired += bool(own)
        covered.detections += len(own)
        return covered

    def add(self, case: Case) -> None:
        """A case, which is run again with every rule watched."""
        if case.refusal is not None:
            return
        watched = Program(tuple(map(_watched, completed(case.program, case.options).statements)))
        found = _detections(watched, case)
        for rule in case.program.rules:
            if rule.hidden:
                continue
            own = [one for one in found if one.rule == rule.name]
            covered = self._count(rule, case, own)
            if self.with_branches and own:
                self._add_branches(watched, rule, case, own, covered)

    @property
    def never(self) -> list[Covered]:
        """The rules that have not fired in any case."""
        return [covered for covered in self.rules.values() if not covered.fired]

    def _covered(self, rule: Rule, case: Case) -> Covered:
        file = _file(rule) or case.place.file
        known = self.rules.get((file, rule.name))
        if known is None:
            known = self.rules[file, rule.name] = Covered(file, rule.name)
            if self.with_branches:
                known.branches = [_branch(part) for _, part in alternatives(rule.pattern)]
        return known

    def _add_branches(self, watched: Program, rule: Rule, case: Case, own: list[Detection], covered: Covered) -> None:
        seen = {(one.events, one.start_us, one.time_us) for one in own}
        for branch, (pattern, _) in zip(covered.branches, alternatives(rule.pattern), strict=True):
            alone = Program(
                tuple(
                    replace(each, rule=_alone(each.rule, pattern))
                    if isinstance(each, Define) and each.rule.name == rule.name
                    else each
                    for each in watched.statements
                )
            )
            found = _detections(alone, case)
            branch.fired += any(
                (one.events, one.start_us, one.time_us) in seen for one in found if one.rule == rule.name
            )


def alternatives(pattern: Pattern) -> Iterator[tuple[Pattern, Pattern]]:
    """Every alternative inside a pattern: the pattern with no other at that place, and the alternative itself."""
    if isinstance(pattern, Either | Alternation):
        for part in pattern.parts:
            yield part, part
    for place, inside in enumerate(children(pattern)):
        for changed, part in alternatives(inside):
            yield _with_child(pattern, place, changed), part


def _with_child(pattern: Pattern, place: int, changed: Pattern) -> Pattern:
    seen = -1

    def change(child: Pattern) -> Pattern:
        nonlocal seen
        seen += 1
        return changed if seen == place else child

    return rebuild(pattern, change)


def _alone(rule: Rule, pattern: Pattern) -> Rule:
    """The rule with one alternative only; where it chooses among combinations, it shows them all."""
    has_automaton = any(isinstance(part, Automaton) for part in walk(pattern))
    return replace(rule, pattern=pattern, context=rule.context if has_automaton else Context.UNRESTRICTED)


def _reports(rule: Rule) -> bool:
    return any(isinstance(action, Notify | Forward) for action in rule.actions)


def _watched(statement: Statement) -> Statement:
    """A rule that reports nothing, made to report that it fires."""
    if not isinstance(statement, Define):
        return statement
    rule = statement.rule
    if rule.actions and not _reports(rule):
        return replace(statement, rule=replace(rule, actions=(Notify(WATCHED), *rule.actions)))
    return statement


def _detections(program: Program, case: Case) -> list[Detection]:
    """What a changed program detects; one that cannot run detects nothing."""
    found: list[Detection] = []
    options = case.options
    try:
        for group in by_order(program, options.order):
            made = detections(
                group.program,
                case.given,
                order=group.order,
                granularity=options.granularity,
                until=options.until,
                ignore_late=options.ignore_late,
            )
            found += [one for one in made if one.rule in group.heard]
    except TocsinError:
        return []
    return found


def _branch(part: Pattern) -> Branch:
    span = part.span
    if span is None or span.source is None:
        return Branch(str(part))
    text = " ".join(span.source.text[span.start : span.stop].split())
    return Branch(text or str(part), span.source.at(span).line)


def _file(rule: Rule) -> str | None:
    span = rule.pattern.span
    return None if span is None or span.source is None else span.source.file
