"""Every construct in the engines themselves: what they find in random streams is what its rule finds in each."""

from __future__ import annotations

import os

import pytest

from tests.origins import esper_constructs, flink_constructs, siddhi_constructs
from tests.origins.engines import (
    ESPER,
    FLINK,
    SIDDHI,
    Construct,
    Engine,
    ask,
    of_streams,
    random_streams,
    replayed,
    streams_for,
)
from tocsin.bench.peers.jars import Unavailable

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3_600),  # the first time, what is fetched may be hundreds of megabytes
]
STREAMS = int(os.environ.get("TOCSIN_FOREIGN_STREAMS", "20"))
"""How many streams each construct is tried on; 10,000 can be asked for."""


@pytest.mark.parametrize(
    ("engine", "constructs"),
    [
        pytest.param(ESPER, esper_constructs.CONSTRUCTS, id="esper"),
        pytest.param(FLINK, flink_constructs.CONSTRUCTS, id="flink"),
        pytest.param(SIDDHI, siddhi_constructs.CONSTRUCTS, id="siddhi"),
    ],
)
def test_an_engine_finds_what_the_rules_find(engine: Engine, constructs: tuple[Construct, ...]) -> None:
    streams = random_streams(7, STREAMS, engine.types)
    try:
        found = ask(engine, {each.name: each.text for each in constructs}, streams)
    except Unavailable as lack:
        pytest.skip(f"{engine.peer}: {lack}")
    different: dict[str, object] = {}
    never: list[str] = []
    for each in constructs:
        tried, theirs = streams_for(each, streams), found[each.name]
        ours = replayed(engine.name, each.text, tried)
        if isinstance(theirs, str) or of_streams(theirs, tried) != ours:
            different[each.name] = theirs
        never += [each.name] if not ours else []
    assert not different
    assert not never
