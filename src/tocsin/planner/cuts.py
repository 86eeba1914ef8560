"""Which parts of a rule can run elsewhere, so that the rule finds what it would have found, to the letter.

What is cut off is a join: a pattern that is necessary for the rule. Run near the sources, it passes on the primitive
events that take part in one of its occurrences, and what may have to be absent between them. The rule itself runs
whole, over what was passed on; so its detections, their ids and bindings, are those of a rule that has seen everything,
if nothing that was held back could have made a difference. When that is so depends on the context:

    unrestricted, generic   whatever is necessary for an occurrence (`necessities`)
    contexts that use up    operands as they are, in the same context (`operands`)

What cannot be proved is not cut, and the reason is given in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.links import Links, mentioned
from tocsin.algebra.names import types_of
from tocsin.algebra.patterns import (
    Accumulate,
    Aggregate,
    AnyEvent,
    Automaton,
    Pattern,
    Primitive,
    Repeat,
    Streak,
    walk,
)
from tocsin.algebra.rules import (
    LANGUAGE_CONTEXTS,
    SEARCHED,
    Command,
    Context,
    Declaration,
    Define,
    Disable,
    Enable,
    Program,
    Rule,
    Statement,
    Trigger,
    shown_name,
)
from tocsin.planner.durations import lasting
from tocsin.planner.equalities import NoKey
from tocsin.planner.necessities import NoCut, blockers, necessary, types_in
from tocsin.planner.operands import is_bare, operands, why_not
from tocsin.planner.shares import common_key
from tocsin.rules.programs import only_rules, together

_IN_A_ROW = (Streak, Repeat, Accumulate, Aggregate, Automaton)
MOST_TYPES = 5
"""Of a rule with more types, not every set of them is looked at: only those of its operands."""


@dataclass(frozen=True)
class Cut:
    """A part of a rule that may run elsewhere: of its types nothing that it does not pass on is needed.

    `program`: the join's rules, the patterns of which one is necessary, and those of what may have to be absent, which
    are the `blockers`. `text`: the part as it is shown to people.
    """

    types: frozenset[str]
    program: Program
    blockers: tuple[str, ...]
    text: str
    makes: str = ""
    """A rule that runs elsewhere as a whole: what is passed on is what it makes, for those that use it by name."""
    key: tuple[tuple[str, str], ...] = ()
    """By type: the attribute in which all events of an occurrence are equal, so that it can run in shares."""
    undivided: str = ""
    """Why it cannot, where that is so."""
    shares: int = 1
    """In how many shares of its key it is to run."""

    def in_shares(self, count: int) -> Cut:
        """The same, in several shares if it has a key."""
        return replace(self, shares=count) if self.key else self


@dataclass(frozen=True)
class Uncut:
    """A part that cannot be cut off, and why, in one sentence."""

    text: str
    why: str


@dataclass(frozen=True)
class Cutting:
    """What can be cut off a rule, and what cannot. Cuts whose types are nested or apart can be used together."""

    cuts: tuple[Cut, ...] = ()
    uncut: tuple[Uncut, ...] = ()


def cuts(program: Program, rule: Rule) -> Cutting:
    """What can be cut off a rule, or off the rules that feed it, which stay with it."""
    whole = only_rules(program, {rule.name})
    reason = _stays_whole(whole)
    acts = any(each.actions for each in program.rules)
    groups = together(program) if acts else []
    beside = next((group for group in groups if any(each.name == rule.name for each in group)), (rule,))
    if len(beside) > 1:
        names = ", ".join(shown_name(each.name) for each in beside)
        reason = f"{names} are linked and do something: they stay together"
    if reason is not None:
        return Cutting(uncut=(Uncut(shown_name(rule.name), reason),))
    found: dict[frozenset[str], Cut] = {}
    uncut: dict[Uncut, None] = {}
    for each in whole.rules:
        own = _own_types(whole, each)
        linked = _taken(each) - own - {one.name for one in whole.rules}
        for kind in sorted(linked):
            uncut[Uncut(kind, "several rules that are linked take these events")] = None
        for one in _cuts_of(whole, each, own):
            if isinstance(one, Cut):
                found.setdefault(one.types, one)
            else:
                uncut[one] = None
    for feeder in _feeders(whole, rule):
        one = _feeding_cut(whole, rule, feeder)
        if isinstance(one, Cut):
            found[one.types] = one
        else:
            uncut[one] = None
    return Cutting(tuple(found.values()), tuple(uncut))


def _feeders(program: Program, rule: Rule) -> list[Rule]:
    """The rules that feed a rule, near and far, those that feed others first."""
    links = _links(program)
    feeding = set(links.feeding(rule.name))
    by_name = {each.name: each for each in program.rules}
    return [by_name[name] for name in links.order if name in feeding]


def _links(program: Program) -> Links:
    return Links({each.name: each for each in program.rules}, program.declarations)


def _feeding_cut(program: Program, rule: Rule, feeder: Rule) -> Cut | Uncut:
    """A rule that feeds others, with all that feeds it: they take what it makes instead of what it takes."""
    own = only_rules(program, {feeder.name})
    inside = {each.name for each in own.rules}
    types = _heard(own)
    outside = [each for each in program.rules if each.name not in inside]
    why = ""
    using = [each for each in outside if feeder.name in _links(program).feeding(each.name)]
    if rule.name in inside:
        why = "it depends on the rule that it feeds"
    elif chooses := next((each for each in using if is_choosy(each)), None):
        why = f"rule '{shown_name(chooses.name)}' chooses among what has one time, and has to see what it is made of"
    elif feeder.actions or feeder.suppress:
        why = "it does more than to detect"
    elif not types:
        why = "it takes no events"
    elif any(mentioned(each) & (inside - {feeder.name}) for each in outside):
        why = "what feeds it feeds others, too"
    elif any(mentioned(each) & types for each in outside):
        why = "events of its types are also taken beside it"
    if why:
        return Uncut(shown_name(feeder.name), why)
    whole = "what it makes is taken in one order"
    return Cut(types, own, (), shown_name(feeder.name), makes=feeder.name, undivided=whole)


def is_choosy(rule: Rule) -> bool:
    """Whether it matters to a rule in which order it is shown what happens at one instant."""
    return _context(rule) is not Context.UNRESTRICTED or any(isinstance(part, _IN_A_ROW) for part in walk(rule.pattern))


def _heard(program: Program) -> frozenset[str]:
    made = {each.name for each in program.rules} - program.declarations.keys()
    return frozenset[str]().union(*(_taken(each) for each in program.rules)) - made


def _stays_whole(program: Program) -> str | None:
    """Why nothing at all can be cut off some rules; None if something may be."""
    for rule in program.rules:
        if any(isinstance(action, Enable | Disable | Trigger) for action in rule.actions):
            return f"rule '{shown_name(rule.name)}' triggers events or switches rules: such rules stay together"
        if rule.order is not None and rule.order.policy != "guaranteed":
            return f"it is evaluated under {rule.order.policy}, where the answer depends on when events arrive"
        if _takes_any(rule):
            return f"rule '{shown_name(rule.name)}' takes events of any type: none may be held back"
    if any(not isinstance(each, Declaration | Define | Command) for each in program.statements):
        return "its script does more than to declare events and to define and enable rules"
    return None


def _takes_any(rule: Rule) -> bool:
    if isinstance(rule.pattern, Automaton):
        return types_seen(rule.pattern) is None
    return any(isinstance(part, AnyEvent) for part in walk(rule.pattern))


def _taken(rule: Rule) -> frozenset[str]:
    return types_in(rule.pattern) | types_of(rule.pattern)


def _own_types(program: Program, rule: Rule) -> frozenset[str]:
    """The types of events that one rule takes and no other, and no rule makes."""
    made = {each.name for each in program.rules} - program.declarations.keys()
    others = frozenset[str]().union(*(mentioned(each) for each in program.rules if each.name != rule.name))
    return _taken(rule) - others - made


def _cuts_of(program: Program, rule: Rule, own: frozenset[str]) -> Iterator[Cut | Uncut]:
    if isinstance(rule.pattern, Automaton):
        yield Uncut(str(rule.pattern), "an automaton looks at every event of its states' domains")
    elif _context(rule) in SEARCHED:
        yield from _necessary_cuts(program, rule, own)
    elif rule.partition:
        yield Uncut(str(rule.pattern), "its parts use events up in each partition by itself")
    else:
        yield from _operand_cuts(program, rule, own)


def _context(rule: Rule) -> Context:
    return rule.context or LANGUAGE_CONTEXTS[rule.language]


# -- where all combinations are looked for ----------------------------------------------------------------------------


def _necessary_cuts(program: Program, rule: Rule, own: frozenset[str]) -> Iterator[Cut | Uncut]:
    found: list[Cut] = []
    refused: list[tuple[frozenset[str], str]] = []
    for types in _sets_of_types(rule.pattern, own):
        try:
            patterns = necessary(rule.guarded, types, forgets_used=rule.forgets_used)
        except NoCut as reason:
            refused.append((types, str(reason)))
            continue
        if any(map(is_bare, patterns)):
            refused.append((types, "one event alone may be needed, so nothing of its type could be held back"))
        elif patterns:
            absent = tuple(blockers(rule.pattern, types))
            found.append(_cut(program, rule, types, patterns, absent, Context.UNRESTRICTED))
    yield from found
    yield from _worth_telling(found, refused)


def _worth_telling(found: Iterable[Cut], refused: list[tuple[frozenset[str], str]]) -> Iterator[Uncut]:
    """Of types that no cut has, why not; of sets of types, what is not said of a part of them already."""
    cut = frozenset[str]().union(*(one.types for one in found))
    said: list[tuple[frozenset[str], str]] = []
    for types, why in refused:
        if types <= cut and len(types) == 1:
            continue
        if not any(fewer <= types and why == reason for fewer, reason in said):
            said.append((types, why))
            yield Uncut(_named_types(types), why)


def _sets_of_types(pattern: Pattern, own: frozenset[str]) -> list[frozenset[str]]:
    """The sets of types to be looked at, the smallest first."""
    if len(own) <= MOST_TYPES:
        kinds = sorted(own)
        return [frozenset(each) for count in range(1, len(kinds) + 1) for each in combinations(kinds, count)]
    found = {types_in(each) for part in walk(pattern) for each in (part, *_prefixes(part))}
    return sorted((each for each in found if each and each <= own), key=lambda each: (len(each), sorted(each)))


def _prefixes(pattern: Pattern) -> list[Pattern]:
    return [each for each in operands(pattern) if type(each) is type(pattern)]


def _named_types(types: Iterable[str]) -> str:
    return ", ".join(sorted(types))


# -- where operators use up what they combine -------------------------------------------------------------------------


def _operand_cuts(program: Program, rule: Rule, own: frozenset[str]) -> Iterator[Cut | Uncut]:
    seen: set[Pattern] = set()
    for operand in operands(rule.pattern):
        types = types_in(operand)
        if operand in seen or is_bare(operand) or not types:
            continue
        seen.add(operand)
        reason = why_not(operand, _context(rule))
        if reason is None and not types <= own:
            reason = "its events are taken by other rules that are linked"
        if reason is None and _leaves(rule.pattern, types) > _leaves(operand, types):
            reason = "events of its types are also taken outside of it, where they are used up apart"
        if reason is not None:
            yield Uncut(str(operand), reason)
            continue
        absent = tuple(blockers(operand, types))
        yield _cut(program, rule, types, (operand,), absent, _context(rule))


def _leaves(pattern: Pattern, types: frozenset[str]) -> int:
    return sum(isinstance(part, Primitive) and part.type in types for part in walk(pattern))


# -- a cut ------------------------------------------------------------------------------------------------------------


def _cut(
    program: Program,
    rule: Rule,
    types: frozenset[str],
    patterns: tuple[Pattern, ...],
    absent: tuple[Pattern, ...],
    context: Context,
) -> Cut:
    rules = [Rule(_own_name("join", number, types), each, rule.language) for number, each in enumerate(patterns, 1)]
    made = [replace(each, context=context, window=rule.window or lasting(each)) for each in rules]
    periods = [each.window for each in made]
    window = None if None in periods else max(each for each in periods if each is not None)
    blocking = [
        Rule(_own_name("absent", number, types), pattern, rule.language, context=Context.UNRESTRICTED, window=window)
        for number, pattern in enumerate(absent, 1)
    ]
    statements: list[Statement] = [each for each in program.statements if isinstance(each, Declaration)]
    for each in (*made, *blocking):
        statements += [Define(each), Command(Enable(each.name))]
    text = " or ".join(dict.fromkeys(map(str, patterns)))
    if absent:
        text += f" (with {', '.join(dict.fromkeys(map(str, absent)))} between)"
    key, why = _dividing_key(made, blocking, types)
    return Cut(types, Program(tuple(statements)), tuple(each.name for each in blocking), text, key=key, undivided=why)


def _dividing_key(
    rules: Iterable[Rule], blocking: Iterable[Rule], types: frozenset[str]
) -> tuple[tuple[tuple[str, str], ...], str]:
    """The key by which a join can be divided; else why it cannot.

    Every occurrence of it lies within one share, so the shares together pass on what the whole would. What may have to
    be absent is not like that: it is passed on where it lies between others, which may be those of several shares.
    """
    if any(True for _ in blocking):
        return (), "what may have to be absent lies between events of any key"
    try:
        return tuple(sorted(common_key(rules, types).items())), ""
    except NoKey as reason:
        return (), str(reason)


def _own_name(what: str, number: int, types: frozenset[str]) -> str:
    """A name for a rule of a join, which is no type that it takes."""
    name = f"{what} {number}"
    while name in types:
        name += "'"
    return name
