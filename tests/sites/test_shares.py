"""Parts that run in shares of a key: together they pass on what the whole would, whatever the values are."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.engine.worlds import World
from tests.sites.cutting import Cutout, Met, difference, in_order_of, in_shares, numbered
from tocsin.algebra.operations import compare
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.values import Surroundings
from tocsin.commands.placement_options import add_hints, asked_hints
from tocsin.errors import UsageError
from tocsin.events import Moment
from tocsin.languages import parse
from tocsin.planner.cuts import Cut, cuts
from tocsin.planner.keys import partition_of
from tocsin.planner.shares import dealt
from tocsin.rules.programs import rules_program
from tocsin.sites.parts import Role, part_of, part_record
from tocsin.sites.placement.plan_texts import plan_text
from tocsin.sites.placement.plans import Plan, plan
from tocsin.sites.placement.policies import POLICIES, Hints, hints_of, hints_record
from tocsin.time.spans import Period

VALUES = (
    *(0, 1, -1, 7, 2**60, 1.0, 1.5, 0.1, -0.0, 1e300, float("inf"), float("nan"), "", "1", "a", True, False, None),
    *(Moment(1_000_000), Moment(1_500_000), Moment(100_000), Period(microseconds=1_000_000), Period(microseconds=-1)),
)
DIRECTORY = {"A": {"s": None}, "B": {"t": None}, "C": {"u": None}}


def rule(text: str, language: str = "gem", context: Context | None = Context.UNRESTRICTED) -> Rule:
    return Rule("r", parse(text, language), language, context=context)


def cuts_of(made: Rule) -> dict[str, Cut]:
    return {"".join(sorted(cut.types)): cut for cut in cuts(rules_program([made]), made).cuts}


def differs(made: Rule, cut: Cut, most: int) -> bool:
    """Whether, on one of some random logs, the rule cut like that finds something else."""
    for number in range(most):
        random = Random(f"shares/{number}")
        world = World(random)
        world.types = ("a", "b", "c")
        log = in_order_of(world.log(9), random)
        if log and difference(Cutout(rules_program([made]), log, DIRECTORY, {"r": (cut,)}, str(number))):
            return True
    return False


def test_what_is_equal_has_one_share() -> None:
    around = Surroundings()
    for one, other in product(VALUES, repeat=2):
        if compare("==", one, other, around):
            assert [dealt(one, n) for n in range(1, 9)] == [dealt(other, n) for n in range(1, 9)], (one, other)
    assert len({dealt(value, 8) for value in ("a", "b", "c", "d", "e", "f", "g", "h")}) > 2


KEYED = {
    "a sequence": rule("(x:a ; y:b) when x.k == y.k"),
    "a conjunction of three": rule("(x:a & y:b & z:c) when x.k == y.k && y.k == z.k"),
    "by different attributes": rule("(x:a ; y:b) when x.k == y.w"),
    "by source": rule("(x:a ; y:b) when $x == $y"),
    "generic": rule("(x:a ; y:b) when x.k == y.k", context=Context.GENERIC),
}


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("count", [2, 5])
def test_shares_find_what_the_whole_finds(name: str, count: int) -> None:
    made = KEYED[name]
    divided = [cut.in_shares(count) for cut in cuts_of(made).values() if cut.key]
    assert divided
    assert not any(differs(made, cut, 40) for cut in divided)


def test_a_key_that_is_none_is_found_out() -> None:
    made = rule("(x:a ; y:b) when x.k == y.k")
    wrong = Cut(**vars(cuts_of(made)["ab"]) | {"key": (("a", "v"), ("b", "w")), "shares": 3})
    assert differs(made, wrong, 300)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a ; b", "no attribute is equal in all its events"),
        ("({x:a ; y:b} ! c) when x.k == y.k", "what may have to be absent lies between events of any key"),
    ],
)
def test_what_has_no_key_says_why(text: str, why: str) -> None:
    assert why in {cut.undivided for cut in cuts_of(rule(text)).values()}


def test_one_event_twice_has_no_key() -> None:
    """It was an assertion that failed, in `tocsin check`, too."""
    made = rule("(x:a ; y:a) when x == y", context=Context.CHRONICLE)
    assert partition_of(made) is None
    assert {cut.undivided for cut in cuts_of(made).values()} == {"one event alone may be what it looks for"}


def test_random_cuts_run_in_shares() -> None:
    met, tried = Met(), 0
    for number in range(400, 500):
        one = numbered(3, "long", number)
        if any(cut.key for some in one.chosen.values() for cut in some) and tried < 15:
            tried += 1
            every = {name: tuple(cut.in_shares(3) for cut in some) for name, some in one.chosen.items()}
            assert difference(replace(one, chosen=every), met) == "", number
    assert met.divided.total() >= 5


def test_shares_are_drawn_beside_the_example() -> None:
    one = numbered(1, "searched", 3)
    assert in_shares(one, Random(1)).log == one.log


# -- plans -----------------------------------------------------------------------------------------------------------


def planned(policy: str, shares: int = 3) -> Plan:
    made = rule("(x:a ; y:b) when x.k == y.k")
    return plan(rules_program([made]), DIRECTORY, "C", policy=policy, hints=Hints(shares={"r": shares}))


@pytest.mark.parametrize("policy", [each for each in POLICIES if each != "central"])
def test_every_policy_deals_shares_out(policy: str) -> None:
    found = planned(policy)
    joins = [each for each in found.deployment.placed if each.part.role is Role.JOIN]
    if policy in ("balanced", "hash"):  # these cut whatever can be
        assert [each.part.share and each.part.share.number for each in joins] == [0, 1, 2]
    if policy == "balanced":
        assert sorted(each.site for each in joins) == ["A", "B", "C"]
        assert f"share 3 of 3 at {joins[2].site}" in plan_text(found)
        whole = planned(policy, shares=1)
        streams = found.predicted.streams
        (alone,) = [each for each in whole.deployment.placed if each.part.role is Role.JOIN]
        together = sum(streams[each.part.key].events for each in joins)
        assert together == pytest.approx(whole.predicted.streams[alone.part.key].events)
    for each in joins:
        assert part_of(part_record(each.part)) == each.part


def test_a_plan_says_what_is_not_in_shares_and_why() -> None:
    def whys(text: str, policy: str, **keys: int) -> list[str]:
        hints = Hints(shares={"r": 2}, **keys)
        [reason] = plan(rules_program([rule(text)]), DIRECTORY, "C", policy=policy, hints=hints).reasons
        return [why for why in reason.why if "in shares" in why]

    keyless = "'a ; b': not in shares: no attribute is equal in all its events"
    alone = "not in shares: nothing is cut off the rule, and only what is cut off is divided"
    assert whys("a ; b", "balanced") == [keyless]
    assert whys("a ; b", "central") == [keyless, alone]
    assert whys("(x:a ; y:b) when x.k == y.k", "central") == [alone]
    assert whys("(x:a ; y:b) when x.k == y.k", "balanced") == []
    nested = whys("(x:a ; y:b ; z:c) when x.k == y.k && y.k == z.k", "balanced")
    assert len(nested) == 1
    assert nested[0].endswith("not in shares: it takes what another part passes on")


def test_a_plan_with_shares_is_taken_up_again() -> None:
    made = rules_program([rule("(x:a ; y:b) when x.k == y.k")])
    hints = Hints(shares={"r": 2})
    first = plan(made, DIRECTORY, "C", policy="balanced", hints=hints)
    again = plan(made, DIRECTORY, "C", policy="balanced", hints=hints, running=first.deployment)
    assert again.deployment.placed == first.deployment.placed
    assert hints_of(hints_record(hints)) == hints


def test_how_many_shares_there_may_be() -> None:
    with pytest.raises(UsageError, match="shares of 'r': expected 1 to 1000, not 0"):
        planned("balanced", 0)
    parser = ArgumentParser()
    add_hints(parser)
    rules = rules_program([rule("a ; b")])
    assert asked_hints(parser.parse_args(["--share", "r=3"]), rules).shares == {"r": 3}
    with pytest.raises(UsageError, match="--share: expected RULE=N, not 'r=many'"):
        asked_hints(parser.parse_args(["--share", "r=many"]), rules)
