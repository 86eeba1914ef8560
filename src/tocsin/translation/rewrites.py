"""A pattern rewritten, law by law, into an equal one that a language can write; or what it is that it lacks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tocsin.algebra.guards import Guard, joined
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import (
    Absence,
    After,
    Alternation,
    AnyEvent,
    Automaton,
    Concatenation,
    Iteration,
    Parallel,
    Pattern,
    Primitive,
    Run,
    Sequence,
    Timing,
    rebuild,
    walk,
)
from tocsin.errors import Fault, RuleError, placed
from tocsin.languages import PYTHON, parse, render
from tocsin.languages.guards import render_guard
from tocsin.languages.writer import CONSTRUCTS
from tocsin.translation.automata import as_detector, as_pattern
from tocsin.translation.conditions import lifted
from tocsin.translation.facts import Facts
from tocsin.translation.laws import LAWS, OUTER
from tocsin.translation.losses import LOSSES
from tocsin.translation.speech import UNGUARDED, blamed, normal, reads_back, writes

CORE = "core"
TITLES = {"gem": "GEM", "eps": "EPS", "sel": "SEL", "global": "GLOBAL", "pretty": "the pretty language",
          "core": "CORE", PYTHON: "Python"}  # fmt: skip
_MOST_STEPS = 12
"""Laws applied to one node, one after the other. No chain of them is half as long."""


@dataclass(frozen=True)
class Said:
    """A pattern as a language can write it, the guards that stand around it, and what is not the same."""

    pattern: Pattern
    guards: tuple[Guard, ...] = ()
    text: str = ""
    differences: tuple[str, ...] = ()


def said(pattern: Pattern, target: str, facts: Facts) -> Said:
    """The pattern in the target's words, exactly. What it lacks is a RuleError, at its place, with the nearest form."""
    try:
        return _Rewriter(target, facts).say(pattern)
    except RuleError as error:
        hint = _hint(nearest(pattern, target, facts), target)
        faults = [_as_written(fault, pattern, target) for fault in error.faults]
        raise RuleError([placed(replace(fault, hint=hint)) for fault in faults]) from None


def _as_written(fault: Fault, pattern: Pattern, target: str) -> Fault:
    """The fault with the name of what stands there, where a law has made something else of it."""
    here = [part for part in walk(pattern) if part.span is not None and part.span == fault.span]
    lacking = [part for part in here if type(part) in CONSTRUCTS and not writes(part, target)]
    if not lacking or isinstance(pattern, Automaton) or target == CORE or CONSTRUCTS[type(lacking[0])] in fault.message:
        return fault
    if isinstance(lacking[0], Sequence | Absence | After):
        return fault  # the writer says it better
    return replace(fault, message=f"{TITLES[target]} has no way to write {CONSTRUCTS[type(lacking[0])]}")


def nearest(pattern: Pattern, target: str, facts: Facts) -> Said | None:
    """The nearest form in the target, with what differs; None where there is none."""
    try:
        return _Rewriter(target, facts, lossy=True).say(pattern)
    except RuleError:
        return None


def _hint(near: Said | None, target: str) -> str:
    if near is None:
        return f"no law brings this construct to {TITLES[target]}; the gallery has needs of many kinds in all notations"
    code = near.text.replace("\n", "; ")
    guards = "" if not near.guards else f" with the condition {shown(near.guards)}"
    differs = "; ".join(near.differences) or "its variables differ"
    return f"nearest in {target}: {code}{guards} - but {differs}"


def shown(guards: tuple[Guard, ...]) -> str:
    """Guards that must all hold, as one text."""
    return render_guard(conjunction(guards))


def conjunction(guards: tuple[Guard, ...]) -> Guard:
    """Guards that must all hold, as one."""
    return joined("&&", guards)


def _automaton_name(detector: Automaton) -> str:
    """What people call an automaton of its shape."""
    if detector.run is not Run.EVERY:
        return f"an automaton with the run '{detector.shown_run}' (CORE)"
    match detector.pattern:
        case Concatenation():
            return "a chain of states, each taking the first event that fits (CORE's `[A];[B]`)"
        case Iteration():
            return "a loop of an automaton (CORE's `C*`)"
        case Timing():
            return "a time event of an automaton (CORE's `(C1, C2){T = 5 min}`)"
        case Parallel():
            return "two automata side by side (CORE's `C1 || C2`)"
        case Alternation():
            return "alternatives that share their states (CORE's `C1 | C2`)"
    return "an automaton (CORE)"


@dataclass
class _Rewriter:
    """Rewrites for one target; `lossy` also takes forms that only come near."""

    target: str
    facts: Facts
    lossy: bool = False
    differences: list[str] = field(default_factory=list)

    def say(self, pattern: Pattern) -> Said:
        """The pattern, its guards and its text."""
        whole = self._bridged(normal(pattern))
        if self.target != CORE:
            whole = normal(self._rewritten(whole, 0))
        guards: list[Guard] = []
        if self.target in UNGUARDED:
            whole, guards = self._lifted(whole)
        if self.lossy and self.target != PYTHON and not isinstance(whole, Automaton):
            bare, whole = whole, name_leaves(whole)
            if whole != bare:
                self.differences.append("an event without a variable gets one, so its attributes are data")
        text = self._text(whole)
        return Said(whole, tuple(guards), text, tuple(dict.fromkeys(self.differences)))

    # -- automata ------------------------------------------------------------------------------------------------

    def _bridged(self, pattern: Pattern) -> Pattern:
        """An automaton as a pattern, or a pattern as an automaton, where the target is on the other side."""
        if isinstance(pattern, Automaton) == (self.target == CORE):
            return pattern
        made = as_pattern(pattern, self.facts) if isinstance(pattern, Automaton) else as_detector(pattern, self.facts)
        if made is not None:
            return made
        near = self._near(pattern)
        if near is not None:
            return near
        if isinstance(pattern, Automaton) and (called := as_pattern(pattern, replace(self.facts, selects=True))):
            if self.lossy:
                self.differences.append("an event without a variable gets one, so its attributes are data")
                return called
            message = f"{TITLES[self.target]} gives an event with a filter a variable, and here it has none"
            raise RuleError(Fault(message, pattern.span, "a name, as in [x:a(v > 3)]"))
        what = _automaton_name(pattern) if isinstance(pattern, Automaton) else CONSTRUCTS[type(pattern)]
        raise RuleError(Fault(f"{TITLES[self.target]} has no way to write {what}", pattern.span))

    # -- laws ----------------------------------------------------------------------------------------------------

    def _rewritten(self, pattern: Pattern, step: int) -> Pattern:
        if not writes(pattern, self.target):
            for law in OUTER:
                pattern = law(pattern, self.target, self.facts) or pattern
        pattern = rebuild(pattern, lambda part: self._rewritten(part, step))
        if step > _MOST_STEPS or writes(pattern, self.target):
            return pattern
        for law in LAWS:
            made = law(pattern, self.target, self.facts)
            if made is not None:
                return self._rewritten(made, step + 1)
        near = self._near(pattern)
        return pattern if near is None else self._rewritten(near, step + 1)

    def _near(self, pattern: Pattern) -> Pattern | None:
        if not self.lossy:
            return None
        for loss in LOSSES:
            near = loss(pattern, self.target, self.facts)
            if near is not None:
                self.differences.append(near.difference)
                return near.pattern
        return None

    # -- guards, and text ------------------------------------------------------------------------------------------

    def _lifted(self, pattern: Pattern) -> tuple[Pattern, list[Guard]]:
        inner, guards = lifted(pattern)
        if guards and not self.facts.searched:
            if not self.lossy:
                where = next(part for part in walk(pattern) if getattr(part, "guard", None) is not None)
                what = f"a guard inside the expression, in the context {self.facts.context}"
                raise RuleError(Fault(f"{TITLES[self.target]} has no way to write {what}", where.span))
            self.differences.append("a condition is tested on what was chosen, and does not choose")
        return inner, guards

    def _text(self, pattern: Pattern) -> str:
        if self.facts.strict:
            every = next((part for part in walk(pattern) if isinstance(part, AnyEvent)), None)
            if every is not None and self.lossy:
                self.differences.append("it may be an event of any type, not of the declared classes alone")
            elif every is not None:
                what = "any event of the declared classes alone (GEM's `*` in a script)"
                raise RuleError(Fault(f"{TITLES[self.target]} has no way to write {what}", every.span))
        try:
            text = render(pattern, self.target)
        except RuleError as error:
            found = blamed(pattern, self.target)
            part, error = (pattern, error) if found is None else found
            raise RuleError([replace(fault, span=part.span or pattern.span) for fault in error.faults]) from None
        if self.lossy:
            parse(text, self.target)
        elif not reads_back(pattern, text, self.target, selects=self.facts.selects):
            raise RuleError(self._misread(pattern))
        return text

    def _misread(self, pattern: Pattern) -> Fault:
        """Why what would be written means something else: an event without a name would get one."""
        kinds = [part for part in walk(pattern) if isinstance(part, Primitive)]
        place = kinds[0].span if kinds else pattern.span
        message = f"{TITLES[self.target]} gives an event that occurs once a variable of its own, and here it has none"
        return Fault(message, place)
