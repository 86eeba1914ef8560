"""What is typed while the rules run: the engine does what the plain meaning does with the same words at the same moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.strategies import POLICIES, Example, example
from tests.engine.test_verbs import is_in_days
from tests.runtime.test_orders import given, sources_of
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.guards import Literal
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Absence, After, AnyEvent, Both, Named, Primitive, Sequence, Times
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import (
    ALL_RULES,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Notify,
    Order,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Typed,
)
from tocsin.events import Arrival, Detection, Event
from tocsin.runtime.ordered import Ordered
from tocsin.time.periods import Period

EXAMPLES = examples(60)


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that trigger each other without end are common among random ones."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


# -- random sessions ---------------------------------------------------------------------------------------------------


class Typing:
    """Somebody at a console, who knows what is declared and defined and types what could be accepted."""

    def __init__(self, random: Random, made: Example, other: Example) -> None:
        self.random = random
        self.declared = dict(made.program.declarations)
        self.defined = list(dict.fromkeys(rule.name for rule in made.program.rules))
        for statement in made.program.statements:
            if isinstance(statement, Remove) and statement.rule and statement.name in self.defined:
                self.defined.remove(statement.name)
        self.stock = [replace(rule, name=f"new_{rule.name}") for rule in other.program.rules]
        self.stock += [*made.program.rules, self._any()]

    def _any(self) -> Rule:
        """A rule on `*`: which classes it stands for depends on what is declared just then."""
        x, y = Named("x", AnyEvent()), Named("y", Primitive("a"))
        later = After(x, Period.of(microseconds=self.random.choice((1, 2, 1_000_000))))
        shapes = (Sequence((x, y)), Sequence((y, x)), Absence(x, y, AnyEvent()), Absence(y, x, AnyEvent()), later)
        pattern = self.random.choice((*shapes, Both((later, y)), Times(2, AnyEvent(), None, True)))
        return Rule("any", pattern, actions=(Notify("out", (Literal(1),)),), strict=True)

    def text(self) -> tuple[Statement, ...]:
        """A few commands at once."""
        return tuple(one for _ in range(self.random.choice((1, 1, 2, 3))) for one in self.command())

    def command(self) -> Iterator[Statement]:
        random = self.random
        match random.choice(("define", "define", "define", "enable", "disable", "remove", "raise", "class", "stop")):
            case "define" if free := [rule for rule in self.stock if rule.name not in self.defined]:
                rule = random.choice(free)
                self.defined.append(rule.name)
                yield Define(rule)
                if random.random() < 0.8:
                    yield Command(Enable(rule.name))
            case "enable" if self.defined:
                yield Command(Enable(random.choice((ALL_RULES, *self.defined))))
            case "disable" if self.defined:
                yield Command(Disable(random.choice((ALL_RULES, *self.defined, *self.defined))))
            case "remove" if self.defined:
                name = random.choice(self.defined)
                self.defined.remove(name)
                yield Remove(name, rule=True)
            case "class":
                yield from self._class()
            case "raise" if known := [each for each in self.declared.values() if each.attributes]:
                kind = random.choice(known)
                yield Raise(kind.name, arguments=tuple(Literal(random.randint(0, 1)) for _ in kind.attributes))
            case "stop" if random.random() < 0.1:
                yield Stop()

    def _class(self) -> Iterator[Statement]:
        name = self.random.choice(("a", "b", "m", "out", "unused"))
        if name in self.declared:
            yield Remove(name)  # which is refused where a rule names it
        else:
            yield Declaration(name, (("k", "long"),))
        self.declared.setdefault(name, Declaration(name, (("k", "long"),)))


def sessions(policy: str, seed: int) -> Iterator[tuple[Example, list[Arrival | Typed]]]:
    """Random rules and logs, with commands between the arrivals."""
    for number in range(EXAMPLES):
        random = Random(seed * 7_000_003 + number)
        made = example(random, policy=policy)
        other = example(random, policy=policy)
        while is_in_days(other) != is_in_days(made):
            other = example(random, policy=policy)
        typing = Typing(random, made, other)
        log: list[Arrival | Typed] = []
        for arrival in made.log:
            while random.random() < 0.3:
                log.append(Typed(typing.text(), arrival.arrival if random.random() < 0.5 else None))
            log.append(arrival)
        if random.random() < 0.3:
            log.append(Typed(typing.text()))
        yield made, log


def front_of(made: Example) -> Ordered:
    sources = sources_of(made.log)
    return Ordered(made.program, made.order, sources=sources, ignore_late=made.ignore_late, is_live=True)


def heard(front: Ordered, each: Arrival | Typed) -> list[Detection]:
    """Gives a front one arrival, or what was typed."""
    if isinstance(each, Typed):
        return front.command(each.statements, each.arrival)
    return given(front, each)


@pytest.mark.parametrize("policy", POLICIES)
def test_commands_between_arrivals_do_what_the_plain_meaning_says(policy: str) -> None:
    detected = changed = 0
    for made, log in sessions(policy, 1):
        front, notes = front_of(made), Notes()
        found = [one for each in log for one in heard(front, each)]
        found += front.finish(made.until)
        should = list(
            replay(made.program, log, order=made.order, until=made.until, ignore_late=made.ignore_late, notes=notes)
        )
        assert list(map(repr, found)) == list(map(repr, should)), (made, log)
        assert sorted(front.notes.warnings) == sorted(notes.warnings), (made, log)
        assert front.notes.refused == notes.refused, (made, log)
        detected += len(found)
        plain = replay(made.program, made.log, order=made.order, until=made.until, ignore_late=made.ignore_late)
        changed += list(map(repr, plain)) != list(map(repr, should))
    assert detected > EXAMPLES / 2
    assert changed > EXAMPLES / 5


@pytest.mark.parametrize("policy", POLICIES)
def test_saved_between_commands_and_taken_up_by_another_it_goes_on_the_same(policy: str) -> None:
    saved = 0
    for made, log in sessions(policy, 2):
        random, front = Random(len(log)), front_of(made)
        found: list[Detection] = []
        for each in log:
            found += heard(front, each)
            if random.random() < 0.3 and front.engine.now is not None:
                data, standing = front.snapshot(), front.engine.standing()
                front = front_of(replace(made, program=standing))
                front.restore(data)
                saved += 1
        found += front.finish(made.until)
        should = replay(made.program, log, order=made.order, until=made.until, ignore_late=made.ignore_late)
        assert list(map(repr, found)) == list(map(repr, should)), (made, log)
    assert saved > EXAMPLES / 2


# -- one at a time -----------------------------------------------------------------------------------------------------

PAIR = Rule("pair", Sequence((Named("a", Primitive("a")), Named("b", Primitive("b")))), "eps")
ON = Program((Define(PAIR), Command(Enable("pair"))))


def times(found: list[Detection]) -> list[tuple[str, int]]:
    return [(one.rule, one.time_us) for one in found]


def test_a_command_that_does_not_concern_a_rule_leaves_what_it_has_half_matched() -> None:
    front = Ordered(ON, is_live=True)
    front.push("a", 1)
    front.command((Define(replace(PAIR, name="other")), Command(Enable("other"))))
    assert times(list(front.push("b", 2))) == [("pair", 2)], "the new rule has not seen the a"
    front.push("a", 3)
    front.command((Remove("other", rule=True),))
    assert times(list(front.push("b", 4))) == [("pair", 4)]


def test_what_is_typed_before_the_clock_starts_joins_the_script() -> None:
    front = Ordered(Program(), is_live=True)
    front.command(ON.statements)
    front.push("a", 1)
    assert times(list(front.push("b", 2))) == [("pair", 2)]


def test_a_time_starts_the_clock_and_a_trigger_is_seen_at_once() -> None:
    front = Ordered(Program((Declaration("a"), Declaration("b"), *ON.statements)), is_live=True)
    assert front.command((Raise("a"),), 5) == []
    (found,) = front.command((Raise("b"),), 6)
    assert (found.start_us, found.time_us, found.detected_us, found.events) == (5, 6, 6, ("a#1", "b#2"))


def test_after_stop_nothing_is_seen_and_nothing_is_done() -> None:
    front = Ordered(ON, is_live=True)
    front.push("a", 1)
    front.command((Stop(),))
    assert front.engine.has_stopped
    front.command((Command(Enable("pair")), Raise("b")))
    assert not front.push("b", 2)
    assert front.engine.running == {}


def test_what_stands_brings_another_monitor_to_the_same_rules() -> None:
    front = Ordered(Program((Declaration("z"), *ON.statements)), is_live=True)
    front.push("x", 1)
    front.command((Declaration("c"), Define(replace(PAIR, name="other")), Command(Disable("pair")), Remove("z")))
    standing = front.engine.standing()
    assert list(standing.declarations) == ["c"]
    again = Ordered(standing, is_live=True)
    again.push("x", 1)
    assert again.engine.standing() == standing
    assert list(again.engine.running) == list(front.engine.running) == []


def test_who_is_waited_for_follows_the_rules_that_are_typed() -> None:
    """A rule that is removed, by the script or later, hears nothing: its sources are not waited for, nor after a restart."""
    here, anywhere = Rule("here", Primitive("a", "s")), Rule("anywhere", Primitive("b"))
    script = Program((Define(here), Define(anywhere), Command(Enable(ALL_RULES)), Remove("anywhere", rule=True)))
    guaranteed = Order("guaranteed")
    log: list[Arrival | Typed] = [
        *(Event("a", time, time, str(time), "s", {}, time) for time in (1, 2, 3)),
        Typed((Define(anywhere),)),
        *(Event("a", time, time, str(time), "s", {}, time) for time in (4, 5)),
        Typed((Remove("anywhere", rule=True),)),
        Event("a", 6, 6, "6", "s", {}, 6),
        Event("a", 9, 9, "9", "t", {}, 9),
    ]
    should = [(one.time_us, one.detected_us) for one in replay(script, log, order=guaranteed)]
    assert should == [(1, 2), (2, 3), (3, 6), (4, 6), (5, 6), (6, 9)]
    for restarts in (False, True):
        front = Ordered(script, guaranteed, sources=["s", "t"], is_live=True)
        found: list[Detection] = []
        for each in log:
            found += heard(front, each)
            if restarts and front.engine.now is not None:
                data, standing = front.snapshot(), front.engine.standing()
                front = Ordered(standing, guaranteed, sources=["s", "t"], is_live=True)
                front.restore(data)
        found += front.finish()
        assert [(one.time_us, one.detected_us) for one in found] == should, restarts
