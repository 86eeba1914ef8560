"""A site's figures, as Prometheus gets them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.sites.asked_worlds import event, program
from tests.sites.shell.deployments import SECOND, Together, memory_url
from tocsin.errors import UsageError
from tocsin.sites.shell.metrics import Endpoint

NOW = 1_700_000_000


@pytest.fixture
def together() -> Iterator[Together]:
    made = Together(memory_url())
    yield made
    made.close()


def figures(endpoint: Endpoint) -> dict[tuple[str, tuple[str, ...]], float]:
    with urlopen(f"http://127.0.0.1:{endpoint.port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_links_and_parts_have_figures(together: Together) -> None:
    guest = together.guest()
    together.request("C", program("a -> b"))
    together.announce(guest, {"sa": ("A", ["a"]), "sb": ("B", ["b"])})
    guest.reporter("A").report(event("a", "sa", "a1", NOW))
    guest.reporter("B").report(event("b", "sb", "b1", NOW + 1))
    guest.reporter("A").beat("sa", (NOW + 5) * SECOND)
    together.until(lambda: bool(together.sites["C"].site.blocked))
    born, told = (Endpoint("0", together.sites[name].site) for name in "AC")
    try:
        at_a, at_c = figures(born), figures(told)
    finally:
        born.close()
        told.close()
    assert at_a["tocsin_site_events_total", ()] == 1
    assert at_a["tocsin_site_link_outputs_total", ("C",)] >= 1
    assert at_a["tocsin_site_link_bytes_total", ("C",)] > 100
    assert at_a["tocsin_site_stream_outputs_total", ("A/a",)] == 1
    [key] = together.sites["C"].site.hosts
    assert at_c["tocsin_site_part_waiting", (key, "rule")] + at_c["tocsin_site_part_events", (key, "rule")] == 2
    assert at_c["tocsin_site_blocked_seconds", (key, "B/b")] >= 0
    assert at_c["tocsin_site_clock_precision_seconds", ()] > 0


def test_where_nobody_can_listen_is_said(together: Together) -> None:
    site = together.sites["A"].site
    with pytest.raises(UsageError, match="'x' is nowhere to listen: PORT or HOST:PORT"):
        Endpoint("x", site)
    there = Endpoint("0", site)
    try:
        with pytest.raises(UsageError, match=f"'{there.port}': nobody can listen there"):
            Endpoint(str(there.port), site)
    finally:
        there.close()
