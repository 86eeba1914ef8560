"""Questions about what is kept look only at what matters, and give the answers that all of it would give."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.processes import ServiceProcess
from tocsin.events import Event
from tocsin.service import backtests, explanations, past
from tocsin.service.backtests import backtest
from tocsin.service.client import Client, ServiceRefused
from tocsin.service.explanations import misses, why
from tocsin.service.kept import Kept
from tocsin.service.past import Past
from tocsin.service.store import Store, open_store

RULES = {
    "first_come": {"language": "gem", "expression": "x:a ; y:b", "context": "chronicle"},
    "used_up": {"language": "gem", "expression": "x:a ; y:b when x.k = y.k"},
    "all_of_them": {"language": "pretty", "expression": "a followed by c within 3 seconds"},
    "absent": {"language": "pretty", "expression": "a followed by not c followed by b"},
    "waits": {"language": "pretty", "expression": "c unless a within 2 seconds"},
    "automaton": {"language": "core", "expression": "[x:a];[b in {a, b}]"},
    "last": {"language": "gem", "expression": "x:z"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    made = ServiceProcess(tmp_path_factory.mktemp("service"))
    try:
        made.start()
        for name, rule in RULES.items():
            made.client.call("POST", "/v1/requests", {"name": name, "window": "1 hour", **rule})
        fill(made)
        yield made
    finally:
        made.kill()


def fill(service: ServiceProcess) -> None:
    """Bodies of different sizes, some of types that no rule takes; times go on by up to two seconds an event."""
    chance = random.Random(7)
    clock = time.time() - 300
    for size in (1, 3, 40, 7, 20, 2, 30):
        body: list[dict[str, Any]] = []
        kinds = chance.choice(("abc", "abcd", "ddde", "aabbd"))
        for _ in range(size):
            clock += chance.random() * 2
            body.append({"type": chance.choice(kinds), "source": "s", "k": chance.randrange(3), "time": clock})
        service.send(*body)
    service.send({"type": "z"})
    service.detections(rule="last")


@pytest.fixture
def store(service: ServiceProcess) -> Iterator[Store]:
    opened = open_store(str(service.home / "tocsin.db"), read_only=True)
    yield opened
    opened.close()


@pytest.fixture
def given(service: ServiceProcess) -> dict[str, Any]:
    requests = service.client.call("GET", "/v1/requests")["requests"]
    return {"defaults": {}, "requests": {each["id"]: each["document"] for each in requests}}


def test_the_last_events_of_some_types_are_those_of_all(store: Store) -> None:
    every = [each for each in Kept(store).arrivals(10_000) if isinstance(each, Event)]
    assert len(every) == 104
    for types in ("ab", "d", "e", "none"):
        wanted = [each for each in every if each.type in types]
        for most in (1, 10, 100, 10_000):
            kept = Kept(store, types=frozenset(types))
            found = [each for each in kept.arrivals(most) if isinstance(each, Event)]
            assert [(each.id, each.end, each.data) for each in found] == [
                (each.id, each.end, each.data) for each in wanted[-most:]
            ][-len(found) :]
            assert len(found) >= min(most, len(wanted)) - 1  # one place may be the heartbeat's
            assert kept.is_all or len(wanted) >= most


@pytest.mark.parametrize("rule", RULES)
def test_a_detection_is_explained_of_little_as_of_all(
    service: ServiceProcess, store: Store, given: dict[str, Any], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = service.client.call("GET", "/v1/detections", rule=rule, limit=4, newest=True)["items"]
    assert found
    looked: list[int] = []
    arrivals = Kept.arrivals

    def counted(kept: Kept, most: int, **how: Any) -> Any:
        some = arrivals(kept, most, **how)
        looked.append(len(some))
        return some

    monkeypatch.setattr(Kept, "arrivals", counted)
    few = [why(store, {**given, "detection": each["id"]})["rules"][0]["fired"] for each in found]
    asked = sum(looked)
    looked.clear()
    monkeypatch.setattr(explanations, "types_taken", lambda *_: None)
    assert few == [why(store, {**given, "detection": each["id"]})["rules"][0]["fired"] for each in found]
    assert asked < sum(looked)


@pytest.mark.parametrize("rule", RULES)
def test_a_back_test_leaves_out_only_what_does_not_matter(
    service: ServiceProcess, store: Store, given: dict[str, Any], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = next(id for id, each in given["requests"].items() if each["name"] == rule)
    asked = {**given, "document": {**given["requests"][id], "name": "tried"}, "against": id}
    told = backtest(Past(store), asked, lambda _: None)
    monkeypatch.setattr(backtests, "types_taken", lambda *_: None)
    assert told == backtest(Past(store), asked, lambda _: None)
    assert told["events"] == 104
    assert told["detections"] == sum(told["by_hour"].values()) > 0
    assert told["against"] == {"both": told["detections"], "candidate only": 0, "live only": 0}


def test_a_back_test_tells_how_far_it_has_got(
    store: Store, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backtests, "OFTEN", 0.0)
    monkeypatch.setattr(past, "STRETCH", 10)
    told: list[dict[str, Any]] = []
    rule = {"name": "each", "language": "gem", "expression": "x:a", "window": "1 hour"}
    answer = backtest(Past(store), {**given, "document": rule}, told.append)
    assert [each["share"] for each in told] == sorted(each["share"] for each in told)
    assert 0 < told[0]["share"] < told[-1]["share"] <= 1
    assert told[0]["detections"] < told[-1]["detections"] == answer["detections"]


def test_misses_are_looked_for_in_so_many_events(store: Store, given: dict[str, Any]) -> None:
    rule = {"name": "never", "language": "pretty", "expression": "a followed by b where a.k == 7", "window": "1 hour"}
    told = misses(store, {**given, "document": rule, "events": 10, "limit": 2})
    assert told["looked"]["events"] == 10
    assert not told["looked"]["is_all"]
    (answer,) = told["rules"]
    assert (answer["detections"], len(answer["misses"])) == (0, 2)
    failed = [each["text"] for each in answer["misses"][0]["failed"]]
    assert failed == ["a.k == 7"]
    assert misses(store, {**given, "document": rule, "events": 200_000})["looked"]["is_all"]


def test_whoever_goes_away_ends_a_back_test_and_nothing_else(service: ServiceProcess) -> None:
    import http.client
    import json

    host = service.url.removeprefix("http://")
    body = json.dumps({"request": {"language": "gem", "expression": "x:a", "name": "left", "window": "1 min"}})
    head = {"Authorization": f"Bearer {service.key}", "Accept": "application/x-ndjson"}
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("POST", "/v1/backtest", body, head)
    connection.getresponse().close()
    connection.close()
    connection.request("POST", "/v1/backtest", body, head)
    answer = connection.getresponse()
    lines = [json.loads(line) for line in answer.read().splitlines()]
    connection.close()
    assert answer.getheader("content-type") == "application/x-ndjson"
    assert [*lines[-1]] == ["answer"]
    assert lines[-1]["answer"]["events"] == 104


def test_rules_are_proposed_from_events_that_are_marked(service: ServiceProcess) -> None:
    now = int(time.time())
    service.send(*({"type": kind, "source": "lab", "ip": ip, "time": now + at} for kind, ip, at in MARKED))

    def marks(*places: int) -> list[dict[str, str]]:
        items = service.client.call("GET", "/v1/events", source="lab")["items"]
        return [
            {"type": each["type"], "source": "lab", "time": str(each["time"])}
            for each in map(items.__getitem__, places)
        ]

    asked = {"together": [marks(0, 1), marks(2, 3)], "apart": [marks(4, 5)]}
    told = service.client.call("POST", "/v1/proposals", asked)
    best = told["proposals"][0]
    assert best["expression"] == "lab_in followed by lab_out by ip within 5 seconds"
    assert (best["found"], best["wrong"], best["detections"], told["together"], told["apart"]) == (2, 0, 2, 2, 1)
    assert told["remarks"][0].startswith("looked at: types")
    guest = service.client.call("POST", "/v1/keys", {"name": "guest", "role": "subscriber", "types": ["a"]})
    with pytest.raises(ServiceRefused, match="lab_in"):
        Client(service.url, guest["key"]).call("POST", "/v1/proposals", asked)
    with pytest.raises(ServiceRefused, match="not among the last"):
        service.client.call("POST", "/v1/proposals", {"together": [[{"type": "nope", "time": "7"}]]})


MARKED = (
    ("lab_in", "x", 0),
    ("lab_out", "x", 3),
    ("lab_in", "y", 10),
    ("lab_out", "y", 14),
    ("lab_in", "x", 20),
    ("lab_out", "y", 22),
)
