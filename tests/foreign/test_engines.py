"""Every construct in the engines themselves: what they find in random events is what the plain meaning finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.foreign.constructs import CONSTRUCTS, Construct
from tests.foreign.engines import ESPER, FLINK, Asked, Found, ask, random_events, replayed
from tocsin.algebra.rules import Rule
from tocsin.bench.peers.catalogue import Peer
from tocsin.bench.peers.jars import Unavailable
from tocsin.foreign import esper_epl, flink_sql

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),  # the first time, what is fetched may be hundreds of megabytes
]
SEEDS = range(1, 1 + int(os.environ.get("TOCSIN_STREAMS", "1")))
"""More streams of random events can be asked for."""


def cases(constructs: list[Construct], translate: Callable[[Rule, str], str]) -> Iterator[tuple[Asked, Found]]:
    """Each construct on several streams, with events of one time where it is exact for them too."""
    for construct in constructs:
        rule = construct.rule()
        for seed in SEEDS:
            name = f"{construct.name}-{seed}"
            events = random_events(seed * 1000 + len(name), ties=construct.ties)
            yield Asked(name, translate(rule, name), events), replayed(rule, events)


def compare(peer: Peer, constructs: list[Construct], translate: Callable[[Rule, str], str]) -> None:
    made = list(cases(constructs, translate))
    try:
        found = ask(peer, [asked for asked, _ in made])
    except Unavailable as lack:
        pytest.skip(f"{peer}: {lack}")
    different = {asked.name: found[asked.name] for asked, wanted in made if found[asked.name] != wanted}
    assert different == {}
    nothing = {construct.name for construct in constructs} - {
        asked.name.rpartition("-")[0] for asked, wanted in made if wanted
    }
    assert nothing == set()


def test_esper_finds_what_replay_finds() -> None:
    constructs = [each for each in CONSTRUCTS if each.esper]
    compare(ESPER, constructs, lambda rule, _: esper_epl.translate(rule))


def test_flink_finds_what_replay_finds() -> None:
    constructs = [each for each in CONSTRUCTS if each.flink]
    compare(FLINK, constructs, lambda rule, name: flink_sql.translate(rule, flink_sql.Columns(table=name)))
