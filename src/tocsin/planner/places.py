"""Why a rule does not run in the network: the one place that tells, for the engine and for people.

In the network run rules that are searched for leaf by leaf, pairs that use up what they combine, and automata that are
chains of states. All else has a memory of its own, or is left to the plain meaning.
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.automata import State as Sketch
from tocsin.algebra.automata import build, is_time, leading_on, looked_at
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import (
    Accumulate,
    After,
    Aggregate,
    Alternation,
    AnyEvent,
    Automaton,
    Both,
    Concurrent,
    Described,
    EventSet,
    Iteration,
    Named,
    Parallel,
    Primitive,
    Repeat,
    Run,
    Sequence,
    Streak,
    Times,
    Timing,
    Union,
    Where,
    walk,
)
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Context, Rule
from tocsin.languages.writer import CONSTRUCTS
from tocsin.plan.gatherings import gathering_shape
from tocsin.plan.programs import Place, Relations, RulePlan, Settings
from tocsin.plan.searches import Branch
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branches import branches
from tocsin.time.periods import Period

USUAL, NONE = Settings(), Relations()
"""A rule by itself, run as usual."""


def placed(rule: Rule, settings: Settings = USUAL, relations: Relations = NONE) -> RulePlan:
    """Where a rule runs, and why it runs apart."""
    reason = why_apart(rule, settings, relations)
    if reason:
        has_memory = remembers_more(rule) or gathering_shape(rule.pattern) is not None
        is_plain = rule.name in settings.plain or not has_memory
        return RulePlan(rule, Place.PLAIN if is_plain else Place.OWN_MEMORY, reason)
    if isinstance(rule.pattern, Automaton):
        return RulePlan(rule, Place.CHAINED)
    return RulePlan(rule, Place.SEARCHED if _context(rule) in SEARCHED else Place.PAIRED)


def why_apart(rule: Rule, settings: Settings = USUAL, relations: Relations = NONE) -> str:
    """Why a rule does not run in the network; nothing if it runs there."""
    return _why_here(rule, settings, relations) or _why_anywhere(rule, settings.granularity)


def _why_here(rule: Rule, settings: Settings, relations: Relations) -> str:
    """... because of how it is run, and of what else runs."""
    if settings.granularity is not None:
        if remembers_more(rule):
            return "nodes of the network that remember have no 2g stamps"
        if relations.has_links:
            return "the network searches by exact times, and here joined 2g stamps are compared"
    if rule.name in settings.plain:
        return "it is watched"
    if rule.name in relations.stopped and isinstance(rule.pattern, Automaton):
        return "another rule may disable it before it has taken what comes together"
    if (settings.is_live or relations.removes_late) and rule.strict and not _can_hide(rule):
        return "'*' stands for what is declared, which commands change"
    has_budget = settings.has_budget(rule.name) or settings.has_total
    if has_budget and remembers_more(rule) and not _why_anywhere(rule, settings.granularity):
        return "what it remembers keeps to no budget"
    return ""


def _why_anywhere(rule: Rule, granularity: int | None) -> str:
    """... whatever else there is."""
    if rule.partition and remembers_more(rule):
        return f"what it remembers is kept for each {' and '.join(rule.partition)}"
    if isinstance(rule.pattern, Automaton):
        return why_no_chain(rule)
    if _context(rule) not in SEARCHED:
        return why_not_pairs(rule)
    try:
        found = branches(rule.searched, granularity)
    except Unsupported as why:
        return str(why)
    if rule.partition and _context(rule) is Context.GENERIC and any(_ends_windows(branch) for branch in found):
        return "windows of several partitions that end together are one moment in the network, of which one is told"
    return ""


def _ends_windows(branch: Branch) -> bool:
    """Whether a branch waits for the end of a window."""
    return any(not isinstance(wait.origin, After) for wait in branch.waits)


def remembers_more(rule: Rule) -> bool:
    """Whether a rule remembers more than events: what it uses up at its nodes, or the runs of its automaton."""
    return isinstance(rule.pattern, Automaton) or _context(rule) not in SEARCHED


def _can_hide(rule: Rule) -> bool:
    """Whether a rule that takes events of any class can leave out those whose class is gone, and see them again.

    What comes next in a repetition would be another one; and where nothing is used up, which events are linked is not
    saved.
    """
    repeated = [
        part for part in walk(rule.pattern) if isinstance(part, Times | Streak | Repeat | Accumulate | Aggregate)
    ]
    if any(isinstance(part, AnyEvent) for each in repeated for part in walk(each)):
        return False
    return _context(rule) is Context.GENERIC or not takes_any(rule)


def takes_any(rule: Rule) -> bool:
    """Whether a rule takes events of any type, or of any that is declared."""
    return any(isinstance(part, AnyEvent) for part in walk(rule.pattern))


def _context(rule: Rule) -> Context:
    return rule.context or LANGUAGE_CONTEXTS[rule.language]


# -- pairs that use up -----------------------------------------------------------------------------------------------

PAIRED = (Context.CHRONICLE, Context.RECENT, Context.CONTINUOUS)
SHAPES = (Primitive, Named, Where, Both, Sequence, Concurrent)
"""What nodes of the network can be made of."""


def why_not_pairs(rule: Rule) -> str:
    """Why a rule in a consuming context does not run in the network; nothing if it does."""
    context = _context(rule)
    if context not in PAIRED:
        return f"its context is '{context}'"
    for part in walk(rule.pattern):
        if not isinstance(part, SHAPES) or (isinstance(part, Both | Sequence) and len(part.parts) < 2):
            return f"in the context '{context}' the network does not have {CONSTRUCTS[type(part)]}"
    return ""


# -- chains of states ------------------------------------------------------------------------------------------------

NO_CHAIN = (Alternation, Iteration, Parallel)
"""What has states with several ways on."""


def why_no_chain(rule: Rule) -> str:
    """Why an automaton does not run in the network; nothing if it does."""
    pattern = rule.pattern
    assert isinstance(pattern, Automaton)
    if pattern.run is not Run.EVERY:
        return f"its run is '{pattern.shown_run}', " + ("which skips" if pattern.run.skips else "one at a time")
    if rule.actions:
        return "it is an automaton with actions"
    if any(isinstance(part, NO_CHAIN) for part in walk(pattern)):
        return "its automaton has several ways on"
    if any(isinstance(part, Timing) and not isinstance(part.when, Period) for part in walk(pattern)):
        return "a time event of its automaton occurs at an exact time, once in each run"
    states = build(pattern.pattern)[:-1]
    if not all(map(_is_simple, states)):
        return "a state of its automaton looks at more than types with filters, one of which leads on"
    if _rebinds(states):
        return "a name in it stands for several events"
    return "it uses itself by name" if rule.name in mentioned(rule) else ""


def _rebinds(states: list[Sketch]) -> bool:
    """Whether a name is bound more than once on the way: aggregates go over all that it was bound to."""
    given = [name for state in states if (name := leading_on(state).name) is not None]
    return len(set(given)) < len(given)


def _is_simple(state: Sketch) -> bool:
    """Whether one type leads on, and all that is looked at are types with filters."""
    accepts = state.edges[0].accepts
    if not isinstance(accepts, Described) or not all(map(_is_plain, state.domain)):
        return False
    if any(is_time(each) and each.guard is not None for each in looked_at(state)) or (
        is_time(accepts) and accepts.name is not None
    ):
        return False  # a time event has nothing that could be asked of it, nor that a name could tell
    return replace(accepts, name=None) in looked_at(state)


def _is_plain(events: EventSet) -> bool:
    return isinstance(events, Described) or (isinstance(events, Union) and all(map(_is_plain, events.sets)))
