"""What is fluid at an end, inside of operators that do not bound it: `a -> (b ; (!c -> d))`, which Python can say."""

from __future__ import annotations

from random import Random

import tocsin as tc
from tests.algebra.building import SECOND
from tests.amounts import examples
from tocsin.algebra.ends import end_faults
from tocsin.algebra.patterns import Absence, Between, Both, Concurrent, Never, Pattern, Precedence, Primitive, Sequence
from tocsin.algebra.patterns import Within as In
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Event
from tocsin.plan.programs import Place
from tocsin.planner.places import placed
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.time.periods import Period

GAP, ENDS, WEAK = Precedence.GAP, Precedence.ENDS, Precedence.WEAK


def test_a_fluid_front_beside_a_rigid_one() -> None:
    a, b, c, d = map(tc.event, "abcd")
    rule = tc.rule("r", a.then(b.then_ends(c.never().then(d))))
    assert placed(rule).place is Place.SEARCHED
    given = [Event(kind, time, time, str(time), arrival=time) for time, kind in enumerate("abdcd")]
    wanted = [("0", "1", "2")]
    assert [one.events for one in replay(rules_program([rule]), given)] == wanted
    assert [one.events for one in detections(rules_program([rule]), given)] == wanted


def test_a_window_around_it_is_planned() -> None:
    a, b, c = map(tc.event, "abc")
    for pattern in (b.then_ends(c.never().then(a)), c.never().then(a).then_ends(b), b.then_ends(a.then(c.never()))):
        assert [one.events for one in tc.detect([tc.rule("r", pattern.within("4 s"))], [])] == []


def test_the_engine_finds_what_the_meaning_finds() -> None:
    compared = searched = fired = 0
    for seed in range(examples(300)):
        random = Random(f"fluid {seed}")
        pattern = _around(random, _beside(random))
        if any(end_faults(pattern)):
            continue
        context = random.choice((Context.UNRESTRICTED, Context.GENERIC))
        rule = Rule("r", pattern, language="python", context=context)
        program, given = rules_program([rule]), _log(random)
        should = list(replay(program, given))
        assert list(detections(program, given)) == should, seed
        compared += 1
        fired += bool(should)
        searched += placed(rule).place is Place.SEARCHED
    assert compared > 200
    assert fired > 30
    assert searched > 80


def _leaf(random: Random, types: str = "ab") -> Pattern:
    return Primitive(random.choice(types))


def _fluid(random: Random) -> Pattern:
    absent, present = Never(_leaf(random, "cd")), _leaf(random, "ab")
    shapes = (
        Sequence((absent, present), GAP),
        Sequence((present, absent), GAP),
        Both((absent, present)),
        Sequence((absent, present, Never(Primitive("d"))), GAP),
        absent,
    )
    return random.choice(shapes)


def _beside(random: Random) -> Pattern:
    """Something fluid beside something else."""
    one, other = random.sample((_fluid(random), _leaf(random)), 2)
    shapes = (
        Sequence((one, other), ENDS),
        Sequence((one, other), WEAK),
        Concurrent(one, other),
        Absence(one, other, Primitive("d")),
        Both((Sequence((one, other), ENDS), _fluid(random))),
        Sequence((one, other, Primitive("a")), ENDS),
    )
    return random.choice(shapes)


def _around(random: Random, inner: Pattern) -> Pattern:
    """That in a row or a window."""
    first, last = Primitive("a"), Primitive("b")
    shapes = (
        Sequence((first, inner), GAP),
        Sequence((inner, last), GAP),
        Sequence((first, inner, last), GAP),
        In(inner, Period(microseconds=4 * SECOND)),
        Between(inner, SECOND, 6 * SECOND),
        In(Sequence((first, inner), GAP), Period(microseconds=5 * SECOND)),
    )
    return random.choice(shapes)


def _log(random: Random) -> list[Event]:
    made, time = list[Event](), 0
    for number in range(random.randint(5, 10)):
        time += random.choice((0, SECOND, SECOND, 2 * SECOND))
        made.append(Event(random.choice("aabbcd"), time, time, str(number), arrival=time))
    if random.random() < 0.3:
        late = random.randint(0, time)
        made.append(Event(random.choice("aabbcd"), late, late, "late", arrival=time))
    return made
