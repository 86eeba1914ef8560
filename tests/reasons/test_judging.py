"""What is told agrees with the plain meaning: on random rules and histories, with every candidate looked at.

A candidate fails nothing if and only if `replay` fired for it; mending just what a miss fails makes `replay` detect it,
and leaving out any of that does not; and no candidate is nearer than the nearest that is told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import tocsin as tc
from tests.engine.strategies import OPERATORS, Example, example, is_sound
from tests.reasons.candidates import candidates, mended
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.contexts import NODES
from tocsin.algebra.patterns import Absence, After, Automaton, Never, Primitive, Repeat, Streak, Times, walk
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.reasons.frames import Frame
from tocsin.reasons.judgements import Judge, Judged
from tocsin.reasons.nearest import Aim, nearest
from tocsin.reasons.records import ABSENCE, CONSUMPTION, GUARD, ORDER, WINDOW, Verdict
from tocsin.reasons.trace import Trace, occurrence_key, watched
from tocsin.rules.programs import rules_program

CONSUMING = (Context.CHRONICLE, Context.RECENT, Context.CONTINUOUS, Context.CUMULATIVE)


@pytest.fixture(autouse=True)
def _short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def _example(seed: int, context: Context) -> Example | None:
    """A random example with its rules in a context, if they can be."""
    random = Random(seed)
    made = example(random, context=context if context in SEARCHED else Context.UNRESTRICTED)
    if context in SEARCHED:
        return made
    rules = [replace(rule, context=context) for rule in made.program.rules]
    if any(rule.strict or rule.actions for rule in rules):
        return None
    if not all(isinstance(part, NODES) for rule in rules for part in walk(rule.pattern)):
        return None
    program = rules_program(rules)
    return replace(made, program=program) if is_sound(program) else None


def _watched(made: Example, engine: str = "replay") -> Trace:
    return watched(
        made.program, made.log, order=made.order, until=made.until, ignore_late=made.ignore_late, engine=engine
    )


@pytest.mark.parametrize("context", [*SEARCHED, *CONSUMING])
def test_a_candidate_fails_nothing_just_where_the_meaning_fires(context: Context) -> None:
    met: Counter[str] = Counter()
    for seed in range(40):
        made = _example(seed, context)
        if made is None:
            continue
        trace = _watched(made)
        options = {"order": made.order, "until": made.until, "ignore_late": made.ignore_late}
        assert trace.detections == list(replay(made.program, made.log, **options))  # type: ignore[arg-type]
        for rule in made.program.rules:
            _hold(Judge(trace, rule), met)
    assert met["fired"] > 10
    assert met["missed"] > 100


def _hold(judge: Judge, met: Counter[str]) -> None:
    failing, passing = {}, set()
    for choice, events in candidates(judge, 400):
        judged = judge.judge(choice, events)
        met["missed" if judged.failed else "fired"] += 1
        if judged.firing is None:
            assert judged.failed, (judge.rule, events)
            continue
        whole = Frame(choice, events, None).whole
        assert whole is not None
        if judged.failed:
            failing[occurrence_key(whole)] = judged
        else:
            passing.add(occurrence_key(whole))
            assert all(each.holds for each in judged.verdicts if each.kind == GUARD)
    # The same events in the same roles may stand in other places too: one way to fill them must be right.
    assert failing.keys() <= passing


@pytest.mark.parametrize("context", SEARCHED)
def test_the_engine_and_the_meaning_are_told_alike(context: Context) -> None:
    for seed in range(100, 130):
        made = _example(seed, context)
        assert made is not None
        one, other = _watched(made), _watched(made, "local")
        assert one.detections == other.detections
        for name, each in one.rules.items():
            fired = [(occurrence_key(f.one), f.now, f.seq) for f in each.firings]
            assert fired == [(occurrence_key(f.one), f.now, f.seq) for f in other.rules[name].firings]


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC, Context.CHRONICLE])
def test_nothing_is_nearer_than_what_is_told(context: Context) -> None:
    compared = 0
    for seed in range(200, 260):
        made = _example(seed, context)
        if made is None:
            continue
        trace = _watched(made)
        for rule in made.program.rules:
            judge = Judge(trace, rule)
            all_of_them = _distances(judge)
            if all_of_them is None:
                continue
            found = nearest(judge, Aim(3))
            assert not found.cut
            assert [len(miss.failed) for miss in found.misses] == all_of_them[:3], (seed, rule)
            compared += 1
    assert compared > 20


def _distances(judge: Judge) -> list[int] | None:
    """How far every miss is, each once; None where there are too many, or repetitions, which have no one order."""
    if any(isinstance(part, Times) for part in walk(judge.rule.pattern)):
        return None
    nearest_of: dict[object, int] = {}
    seen = 0
    for choice, events in candidates(judge, 400):
        seen += 1
        judged = judge.judge(choice, events)
        if judged.firing is None:
            whole = Frame(choice, events, None).whole
            key = (id(choice), events) if whole is None else occurrence_key(whole)
            nearest_of[key] = min(nearest_of.get(key, 99), len(judged.failed))
    total = sum(_ways(judge, choice) for choice in judge.choices)
    return sorted(nearest_of.values()) if seen == total else None


def _ways(judge: Judge, choice: object) -> int:
    count = 1
    for some in judge.options(choice):  # type: ignore[arg-type]  # a choice of this judge
        count *= max(1, len(some))
    return count


MENDABLE = {GUARD, ORDER, ABSENCE, WINDOW, CONSUMPTION}


@pytest.mark.parametrize(("seeds", "most"), [(90, 12), pytest.param(400, 40, marks=pytest.mark.slow)])
def test_mending_what_failed_and_nothing_less_makes_the_meaning_detect_it(seeds: int, most: int) -> None:
    """Without consumption every constraint stands for itself: each must be mended, and all together suffice.

    What was used up is judged by what really fired, so there the mended rule is asked for all combinations. A used-up
    event no longer cancels, and would again: rules with an absence are tried where nothing is used up.
    """
    met: Counter[str] = Counter()
    absences = [name for name in OPERATORS if "absence" in name]
    for seed in range(300, 300 + seeds):
        random = Random(seed)
        context = random.choice(SEARCHED) if seed % 3 else Context.UNRESTRICTED
        operator = random.choice(OPERATORS if seed % 3 else absences)
        made = example(random, operator, context, "best-effort")
        made = replace(made, ignore_late=False, until=None)
        rules = [rule for rule in made.program.rules if _is_plain(rule) and not _meets_its_own(rule, made)]
        if not rules or any(rule.actions or rule.strict for rule in made.program.rules):
            continue
        trace = _watched(made)
        for rule in rules:
            for judged, key in _nearest_of_each(Judge(trace, rule))[:most]:
                if {each.kind for each in judged.failed} <= MENDABLE and len(judged.failed) <= 3:
                    _mend(made, rule, list(judged.failed), key, met)
    assert met["mended"] > 50
    assert all(met[kind] > 0 for kind in MENDABLE), met


def _nearest_of_each(judge: Judge) -> list[tuple[Judged, object]]:
    """Every miss in the places in which it fails least: what has no name may stand in one as well as in another."""
    found: dict[object, Judged] = {}
    seen = 0
    for choice, events in candidates(judge, 200):
        seen += 1
        judged, whole = judge.judge(choice, events), Frame(choice, events, None).whole
        if whole is not None and judged.firing is None:
            key = occurrence_key(whole)
            if key not in found or len(judged.failed) < len(found[key].failed):
                found[key] = judged
    if seen < sum(_ways(judge, choice) for choice in judge.choices):
        return []
    return [(judged, key) for key, judged in found.items()]


def _is_plain(rule: Rule) -> bool:
    """Whether the rule's constraints can be left out one by one by writing another rule."""
    parts = list(walk(rule.pattern))
    absences = [part for part in parts if isinstance(part, Absence)]
    if rule.context is not Context.UNRESTRICTED and absences:
        return False
    # A wider window would also find what begins before the candidate does, where several events must be absent.
    if rule.window is not None and any(len(list(walk(part.without))) > 3 for part in absences):
        return False
    return not any(isinstance(part, After | Never | Repeat | Streak | Times | Automaton) for part in parts)


def _meets_its_own(rule: Rule, made: Example) -> bool:
    """Whether an event may stand both by itself and in a composite beside it: such rules are not mended one by one."""
    types = {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}
    feeders = [other for other in made.program.rules if other.name in types]
    return any(isinstance(part, Primitive) and part.type in types for each in feeders for part in walk(each.pattern))


def _mend(made: Example, rule: Rule, failed: list[Verdict], key: object, met: Counter[str]) -> None:
    whole = mended(rule, failed)
    if whole is None:
        return
    assert _detects(made, whole, key), (rule, failed)
    met["mended"] += 1
    for each in failed:
        met[each.kind] += 1
        if each.kind != CONSUMPTION:
            partly = mended(rule, [other for other in failed if other is not each])
            if partly is not None:
                assert not _detects(made, partly, key), (rule, failed, each)


def _detects(made: Example, rule: Rule, key: object) -> bool:
    found = watched(
        rules_program([replace(rule, context=Context.UNRESTRICTED)]), made.log, order=made.order, engine="replay"
    )
    return any(occurrence_key(firing.one) == key for firing in found.rules[rule.name].firings)


def test_a_search_among_many_events_is_bounded_and_right_where_it_is_not_cut() -> None:
    """What fails everywhere (no alarm is loud enough) is no reason to look at every combination of the rest."""
    random = Random(7)
    events = [
        {"type": random.choice(("down", "up", "alarm")), "time": n, "data": {"link": random.randrange(40), "v": 1}}
        for n in range(1_500)
    ]
    rule = tc.rule("loud", "x:down ; y:up ; z:alarm", condition="x.link == y.link && y.link == z.link && z.v > 2")
    (answer,) = tc.why(rule, events)
    assert not answer.cut
    assert [each.text for each in answer.misses[0].failed] == ["z.v > 2"]
    assert answer.tried < 20_000
