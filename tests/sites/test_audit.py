"""The audit log of a site: runs of numbers, segments, retention, and what is there again after a crash."""

from __future__ import annotations

import pytest

from tests.sites.asked_worlds import SECOND, AskedWorld, event, live, program
from tocsin.errors import UsageError
from tocsin.sites.audit import SEGMENT, Audit, Keep, kept_of
from tocsin.sites.deployment import Directory, deployed
from tocsin.sites.simulation import Weather

DIRECTORY: Directory = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "C": {"sc": None}}


def test_a_run_of_numbers_is_one_entry() -> None:
    audit = Audit()
    for number in range(1, 101):
        audit.gave(7, "A/a", 10 + number, "s", number)
    audit.gave(7, "A/a", 111, "s", 102)  # one of the source did not pass
    audit.gave(8, "A/a", 112, "s", 103)  # another moment
    assert list(audit.entries()) == [
        [8, "gave", "A/a", 112, "s", 103, 1],
        [7, "gave", "A/a", 111, "s", 102, 1],
        [7, "gave", "A/a", 11, "s", 1, 100],
    ]


def test_what_is_too_old_or_too_much_is_forgotten_in_whole_segments() -> None:
    old = Audit(Keep(period=10))
    for now in range(3 * SEGMENT):
        old.note(now, "noted", str(now))
    assert old.oldest is not None
    assert old.oldest >= SEGMENT
    assert old.forgotten + old.count == 3 * SEGMENT
    assert next(old.entries())[0] == 3 * SEGMENT - 1

    small = Audit(Keep(size=20_000))
    for now in range(40 * SEGMENT):
        small.note(now, "noted", str(now * 7919 % 1_000_003))
    assert small.size <= 20_000
    assert small.forgotten > 0
    assert small.forgotten + small.count == 40 * SEGMENT


def test_a_log_is_part_of_the_state() -> None:
    audit = Audit()
    for now in range(SEGMENT + 5):
        audit.note(now, "noted", str(now))
    other = Audit()
    other.restore(audit.state())
    assert list(other.entries()) == list(audit.entries())
    assert list(other.entries(SEGMENT)) == [[now, "noted", str(now)] for now in range(SEGMENT + 4, SEGMENT - 1, -1)]


def test_a_site_that_died_knows_what_happened_before() -> None:
    world = AskedWorld(5, DIRECTORY, Weather(loss=0.1, repeats=0.1))
    world.subscribe("C", deployed(program("a -> b"), DIRECTORY, "C"))
    world.at(3 * SECOND, lambda: world.crash("C"))
    world.at(4 * SECOND, lambda: world.restart("C"))
    live(world, [("A", event("a", "sa", "a1", 2)), ("B", event("b", "sb", "b1", 2.5))])
    site = world.machines["C"].site
    assert site is not None
    found = list(site.audit.of(["detected"]))
    assert [entry[4]["rule"] for entry in found] == ["rule"]
    assert [made[2] for made in found[0][4]["made_of"]] == ["a1", "b1"]
    assert [entry[2] for entry in site.audit.of(["began"])] == [found[0][2].removesuffix("!")]


def test_what_is_sent_back_is_in_the_log() -> None:
    world = AskedWorld(5, DIRECTORY)
    late = [event("a", "sa", "a2", 1.0)]
    reporter = world.reporter("r", "A")
    world.report(reporter, event("a", "sa", "a1", 2))
    world.report(reporter, late[0])
    world.run(2 * SECOND)
    site = world.machines["A"].site
    assert site is not None
    assert [entry[1:] for entry in site.audit.of(["late"])] == [["late", "sa", "a2", SECOND, 2 * SECOND]]


def test_how_much_is_kept_as_people_write_it() -> None:
    assert kept_of("7 days,64") == Keep(7 * 86_400 * SECOND, 64 * 1024 * 1024)
    assert kept_of("1 h") == Keep(3_600 * SECOND)
    for text in ("1 h,much", "1 h,0", "1 h,9999"):
        with pytest.raises(UsageError, match="does not say how much is kept: SPAN,MEGABYTES"):
            kept_of(text)
