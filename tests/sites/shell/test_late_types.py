"""Rules that run when the first source of one of their types comes: they go on, with that type."""

from __future__ import annotations

import pytest

from tests.sites.shell.deployments import SECOND, Together, expected, ids, memory_url
from tocsin.events import Event
from tocsin.rules.loader import load_expression


@pytest.mark.parametrize(
    ("expression", "language", "count"),
    [("a ; NOT b ; c", "global", 1), ("(x:a -> y:b) in 1 minute", "sel", 2), ("a || b", "eps", 3)],
)
def test_a_type_whose_first_source_comes_late_is_heard_and_nothing_is_told_twice(
    expression: str, language: str, count: int
) -> None:
    program = load_expression(expression, language)
    kinds = [("a", "A", "s"), ("b", "B", "u"), ("c", "A", "s"), ("a", "A", "s"), ("c", "A", "s")]
    if language == "sel":
        kinds = [("a", "A", "s"), ("a", "A", "s"), ("b", "B", "u")]
    events = [Event(kind, n * SECOND, n * SECOND, f"e{n}", source) for n, (kind, _, source) in enumerate(kinds, 1)]
    found = expected(program, events)
    assert len(found) == count
    sites = Together(memory_url())
    try:
        guest = sites.guest()
        sites.announce(guest, {"s": ("A", ["a", "c"])})
        sites.request("C", program)
        sites.announce(guest, {"s": ("A", ["a", "c"])})
        sites.until(lambda: bool(sites.sites["C"].site.hosts))
        guest.reporter("A").report(events[0])  # before anybody knows of the other source
        sites.until(lambda: not guest.reporter("A").unreported)
        sites.announce(guest, {"u": ("B", ["b"])})
        for event, (_, site, _) in zip(events[1:], kinds[1:], strict=True):
            guest.reporter(site).report(event)
        for site, source in (("A", "s"), ("B", "u")):
            guest.reporter(site).close(source)
        sites.until(lambda: len(sites.told["C"]) >= len(found))
        for _ in range(200):
            sites.turn()  # nothing more is told
        assert ids(sites.detections("C")) == ids(found)
    finally:
        sites.close()
