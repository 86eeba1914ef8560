"""Attributes that stay where events are born, conditions on them that are tested there, and limits."""

from __future__ import annotations

from random import Random

import pytest

from tests.sites.asked_worlds import PARTS, SECOND, AskedWorld, event, live, program
from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.rules.documents import read_document
from tocsin.runtime import Options
from tocsin.session import Session
from tocsin.sites.deployment import Directory, deployed
from tocsin.sites.parts import GUARANTEED, Role
from tocsin.sites.prefilters import limit_of, prefiltered, staying_of
from tocsin.sites.references import fetched
from tocsin.sites.simulation import Weather

STAYING = {"A": {"a": ["image"]}, "B": {"b": ["image"]}}
LARGE = "x" * 20_000


def rules(*written: str) -> Program:
    return read_document("rules:\n" + "".join(f"- {each}\n" for each in written), "rules.yaml")


def spread(one: Program, births: list[tuple[str, Event]], **limits: tuple[int, int]) -> tuple[AskedWorld, set[str]]:
    """A world in which rules run at C with what stays at A and B, and the ids of what was told."""
    world = AskedWorld(11, PARTS, Weather(loss=0.05))
    world.subscribe("C", prefiltered(deployed(one, PARTS, "C"), STAYING, limits).deployment)
    live(world, births)
    return world, {told.detection.id for told in world.told("C")}


def alone(one: Program, births: list[tuple[str, Event]]) -> set[str]:
    """What the single engine finds."""
    ordered = sorted((each for _, each in births), key=lambda each: each.end)
    return {found.id for found in Session(one, Options(order=GUARANTEED)).detections(ordered)}


def test_what_stays_does_not_travel_and_is_fetched() -> None:
    one = rules("{name: pair, language: sel, expression: a -> b}")
    births = [("A", event("a", "sa", "a1", 2, image=LARGE, n=1)), ("B", event("b", "sb", "b1", 3, image=LARGE))]
    world, found = spread(one, births)
    assert found == alone(one, births)
    assert max(link.bytes for (sender, _), link in world.traffic.items() if not sender.startswith("at-")) < len(LARGE)
    assert world.told("C")[0].detection.data == {"a.n": 1}
    assert fetched("sa", "a1", world.hellos, lambda site, what: world.ask(what, [site])[site]) == {"image": LARGE}


@pytest.mark.parametrize(
    "written",
    [
        "{name: r, language: sel, expression: a -> b, condition: a.image > 5}",
        "{name: r, language: sel, expression: a -> b, condition: '!(a.image > 5)'}",
        "{name: r, language: sel, expression: a -> b, condition: a.image > 2 || b.image < 6 && a.n < b.n}",
        "{name: r, language: eps, expression: x:a ; y:b, condition: 'y.image in (1, 2, 3)', window: 3 s}",
        "{name: r, language: eps, expression: x:a ; y:b, condition: x.image == y.image, window: 3 s}",
        "{name: r, language: gem, expression: x:a ; y:b when x.image > y.n, context: chronicle}",
        "{name: r, language: gem, expression: x:a ; y:b when x.image > 4, context: recent}",
        "{name: r, language: gem, expression: '{x:a ; y:b} ! z:c when x.image > 1 && y.image < 7'}",
    ],
)
def test_conditions_on_what_stays_find_what_the_single_engine_finds(written: str) -> None:
    one = rules(written)
    choice = Random(written)
    births: list[tuple[str, Event]] = []
    for number in range(40):
        site = choice.choice("ABC")
        data = {"n": choice.randint(0, 6), "image": choice.choice([*range(9), *range(9), "text", None])}
        if choice.random() < 0.1:
            del data["image"]
        births.append((site, event(site.lower(), f"s{site.lower()}", f"e{number}", 1 + number / 8, **data)))
    _, found = spread(one, births)
    assert found == alone(one, births)
    assert found


def test_an_attribute_that_is_compared_with_anothers_travels_and_it_is_said() -> None:
    one = rules("{name: same, language: eps, expression: x:a ; y:b, condition: x.image == y.image, window: 3 s}")
    made = prefiltered(deployed(one, PARTS, "C"), STAYING)
    assert made.deployment == deployed(one, PARTS, "C")
    assert made.remarks == (
        "attribute 'image' of 'a' travels: rule 'same' needs it where it runs",
        "attribute 'image' of 'b' travels: rule 'same' needs it where it runs",
    )


def test_what_a_rule_reports_travels() -> None:
    one = rules("{name: told, language: sel, expression: a -> b, select: {image: a.image}}")
    births = [("A", event("a", "sa", "a1", 2, image="i")), ("B", event("b", "sb", "b1", 3))]
    world, _ = spread(one, births)
    assert [told.detection.data for told in world.told("C")] == [{"image": "i"}]


def test_where_any_event_is_taken_everything_travels() -> None:
    directory: Directory = {"A": {"sa": ["a"]}}
    one = rules("{name: any, language: gem, expression: a ; *}")
    made = prefiltered(deployed(one, directory, "A"), STAYING)
    assert made.deployment == deployed(one, directory, "A")
    assert made.remarks == ("a rule takes events of any type: all attributes travel",)


def test_what_is_gone_is_said_clearly() -> None:
    world, _ = spread(
        rules("{name: p, language: sel, expression: a -> b}"), [("A", event("a", "sa", "a1", 2, image=1))]
    )

    def ask(site: str, what: list[object]) -> object:
        return world.ask(what, [site])[site]

    with pytest.raises(UsageError, match="no site that is there has a source 'sx'; asked: A, B, C, D"):
        fetched("sx", "a1", world.hellos, ask)
    with pytest.raises(UsageError, match="no event 'a9' of source 'sa' is known at site 'A' any more"):
        fetched("sa", "a9", world.hellos, ask)
    world.do("A", lambda site: site.birthplace.staying.clear())
    with pytest.raises(UsageError, match="of event 'sa/a1' nothing is kept at site 'A'"):
        fetched("sa", "a1", world.hellos, ask)


def test_a_limit_lets_so_many_events_of_a_source_pass() -> None:
    one = rules("{name: pair, language: sel, expression: a -> b}")
    births = [("A", event("a", source, f"{source}{n}", 1 + n)) for n in range(6) for source in ("s1", "s2")]
    births.append(("B", event("b", "sb", "b1", 9)))
    births.sort(key=lambda each: each[1].end)
    world, found = spread(one, births, a=(1, 3 * SECOND))
    kept = [each for each in births if each[1].type == "b" or each[1].end in (SECOND, 4 * SECOND)]
    assert found == alone(one, kept)
    site = world.machines["A"].site
    assert site is not None
    assert [sieve.held_back for sieve in site.birthplace.sieves.values()] == [8]


def test_equal_limits_are_one_filter_and_others_are_another() -> None:
    whole = deployed(program("a -> b"), PARTS, "C")
    keys = {
        part.key
        for limits in ({}, {"a": (1, SECOND)}, {"a": (2, SECOND)}, {"a": (1, SECOND)})
        for part, _ in prefiltered(whole, {}, limits).deployment.placed
        if part.role is Role.FILTER and part.type == "a"
    }
    assert len(keys) == 3


def test_limits_and_what_stays_as_people_write_them() -> None:
    assert limit_of("motion=1/1 min") == ("motion", (1, 60 * SECOND))
    assert limit_of(" a = 20 / 5 sec ") == ("a", (20, 5 * SECOND))
    assert staying_of("photo=image, raw") == ("photo", ("image", "raw"))
    for text in ("motion", "motion=1", "motion=0/1 min", "=1/1 min"):
        with pytest.raises(UsageError, match="is no limit: TYPE=COUNT/SPAN"):
            limit_of(text)
    with pytest.raises(UsageError, match="'photo=' does not say what stays"):
        staying_of("photo=")
