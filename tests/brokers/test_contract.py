"""The contract of transports (`transports/contract.py`), held to every one of them, with the real broker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.brokers.conftest import started
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.transports import (
    KEYS,
    SINK,
    SOURCE,
    TRANSPORTS,
    Address,
    Delivery,
    Lost,
    Received,
    Subscription,
    Transport,
    Unreachable,
    address_of,
    key_value,
    publisher,
    subscribe,
)

LONG = 30.0
"""Seconds for what comes at once: only a failure waits for them."""
SOON = 0.3
"""Seconds for what does not come."""


WITHOUT_SERVER: dict[str, Callable[[str, Path], str]] = {
    "memory": lambda name, folder: f"memory:{name}",
    "file": lambda name, folder: f"file:{_touched(folder / 'lines')}",
}
"""Transports that need no server, each with the URL of a new place."""
SERVERS = ("nats", "mqtt", "kafka")
"""Transports whose server is the fixture of that name (`conftest.py`)."""


def _touched(path: Path) -> Path:
    path.touch()
    return path


@dataclass
class Place:
    """Somewhere new that messages can be sent to and come from."""

    kind: str
    url: str
    broker: Broker | None = None

    @property
    def replays(self) -> bool:
        return TRANSPORTS[self.kind].REPLAYS

    @property
    def has_headers(self) -> bool:
        return TRANSPORTS[self.kind].PREFIX is not None

    def address(self, use: str = SOURCE, **options: str) -> Address:
        return address_of(self.url, use, options)

    def subscribed(self, start: Any = None, name: str = "", **options: str) -> Subscription:
        return subscribe(self.address(**options), start, name and f"{name}-{self.address().path.replace('/', '-')}")

    def send(self, numbers: range, headers: bool = False) -> None:
        with publisher(self.address(SINK)) as out:
            for number in numbers:
                out.publish(_message(number, headers and self.has_headers))
            assert out.flush().taken == len(numbers)


def _message(number: int, headers: bool = False) -> Message:
    told = {"n": str(number), "content-type": "text/plain"} if headers else {}
    return Message(b'{"n": %d}' % number, told, str(number))


def _fresh(request: pytest.FixtureRequest, kind: str, folder: Path) -> Place:
    name = f"t{uuid4().hex[:12]}"
    if kind in WITHOUT_SERVER:
        return Place(kind, WITHOUT_SERVER[kind](name, folder))
    broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(kind, kind))
    if isinstance(broker, Nats):
        made_stream(broker, name, name)
    return Place(kind, broker.url(name), broker)


@pytest.fixture(params=[*WITHOUT_SERVER, *SERVERS])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "kafka":
        pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")
    return _fresh(request, request.param, tmp_path)


def _all(
    subscription: Subscription, count: int, most: int = 4096, acknowledging: bool = False
) -> tuple[list[Received], Delivery]:
    """So many messages, and the last delivery."""
    found: list[Received] = []
    delivery = Delivery((), {})
    while len(found) < count:
        delivery = subscription.receive(LONG, most)
        assert delivery, f"{len(found)} of {count} messages have come"
        assert len(delivery.messages) <= most
        found += delivery.messages
        if acknowledging:
            subscription.acknowledge(delivery.position)
    return found, delivery


def _numbers(messages: list[Received] | tuple[Received, ...]) -> list[int]:
    return [int(each.body[6:-1]) for each in messages]


def _in_order(place: Place, numbers: list[int]) -> bool:
    """Kafka has an order in each of its partitions."""
    return place.kind == "kafka" or numbers == sorted(numbers)


def test_what_is_published_comes_in_order(place: Place) -> None:
    with place.subscribed(name="me") as subscription:
        assert not subscription.receive(SOON)
        place.send(range(3000), headers=True)
        found, delivery = _all(subscription, 3000, most=700, acknowledging=True)
        assert sorted(_numbers(found)) == list(range(3000))
        assert _in_order(place, _numbers(found))
        assert not subscription.receive(SOON)
        assert subscription.receive(0.0).position == delivery.position
        if place.has_headers:
            assert all(each.headers["n"] == str(_numbers([each])[0]) for each in found)
            assert found[0].headers["content-type"] == "text/plain"
        if place.kind != "mqtt":
            assert len({each.place for each in found}) == 3000
            assert subscription.lag() == 0
        assert all(each.arrived > 1_600_000_000_000_000 for each in found)


def test_a_position_is_where_another_begins(place: Place) -> None:
    if not place.replays:
        pytest.skip("the broker has no positions to go back to")
    place.send(range(100))
    with place.subscribed() as subscription:
        first, middle = _all(subscription, 1, most=40)
        rest, _ = _all(subscription, 100 - len(first))
        assert sorted(_numbers([*first, *rest])) == list(range(100))
    for _ in range(2):
        with place.subscribed(middle.position) as again:
            found, _ = _all(again, 100 - len(first))
            assert sorted(_numbers(found)) == sorted(_numbers(rest)), "as often as it is asked for"
    with subscribe(place.address(start="new")) as newest:
        assert not newest.receive(SOON)
        place.send(range(100, 103))
        found, _ = _all(newest, 3)
        assert sorted(_numbers(found)) == [100, 101, 102]


def test_what_was_not_acknowledged_comes_again(place: Place) -> None:
    if place.kind == "file":
        pytest.skip("files remember nobody")
    with place.subscribed(name="me"):
        pass  # from now on MQTT's broker keeps what comes
    place.send(range(100))
    with place.subscribed(name="me") as subscription:
        first, middle = _all(subscription, 1, most=30)
        _all(subscription, 100 - len(first))
        subscription.acknowledge(middle.position)
    with place.subscribed(name="me") as again:
        rest, last = _all(again, 100 - len(first))
        assert sorted(_numbers([*first, *rest])) == list(range(100))
        assert _in_order(place, _numbers(rest))
        again.acknowledge(last.position)
    with place.subscribed(name="me") as once_more:
        assert not once_more.receive(SOON)
        place.send(range(100, 110))
        found, _ = _all(once_more, 10)
        assert sorted(_numbers(found)) == list(range(100, 110))
    if place.replays:
        with place.subscribed(name="other") as other:
            assert len(_all(other, 110)[0]) == 110, "nobody else has acknowledged for it"


def test_a_message_is_as_long_as_it_is(place: Place) -> None:
    """Every length at which a packet's own length takes another byte, and bodies of all bytes."""
    sizes = [0, 1, 50, 90, 110, 127, 128, 129, 16_000, 16_383, 16_384, 100_000, 500_000]
    bodies = [bytes(n % 256 for n in range(size)) for size in sizes]
    if place.kind == "file":
        bodies = [b"x" * size for size in sizes[1:]]
    with place.subscribed(name="me") as subscription:
        with publisher(place.address(SINK)) as out:
            for body in bodies:
                out.publish(Message(body))
            out.flush()
        found, _ = _all(subscription, len(bodies))
        assert sorted(each.body for each in found) == sorted(bodies)


def test_nothing_published_is_nothing_taken(place: Place) -> None:
    with publisher(place.address(SINK)) as out:
        assert out.flush().taken == 0
        out.publish(_message(1))
        assert (out.flush().taken, out.flush().taken) == (1, 0)


def test_closing_ends_a_wait(place: Place) -> None:
    if place.kind == "kafka":
        pytest.skip("the library is closed by whoever polls: the next call ends")
    subscription = place.subscribed(name="me")
    waiting = threading.Thread(target=lambda: subscription.receive(LONG))
    waiting.start()
    subscription.close()
    waiting.join(LONG / 2)
    assert not waiting.is_alive()


# -- brokers that go away -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Nats, Mosquitto])
def test_a_broker_that_goes_away_and_comes_back(kind: type[Broker], tmp_path: Path) -> None:
    """Nothing is lost, and what was handed out does not come again; what was acknowledged meanwhile neither."""
    broker = started(kind, tmp_path / "broker")
    try:
        if isinstance(broker, Nats):
            made_stream(broker, "s", "s")
        place = Place(broker.scheme, broker.url("s"), broker)
        with place.subscribed(name="me") as subscription, publisher(place.address(SINK)) as out:
            for number in range(200):
                out.publish(_message(number))
            out.flush()
            first, delivery = _all(subscription, 200)
            broker.stop()
            assert not subscription.receive(SOON), "it is waited for"
            subscription.acknowledge(delivery.position)
            broker.start()
            for number in range(200, 300):
                out.publish(_message(number))
            assert out.flush().taken == 100
            second, last = _all(subscription, 100)
            assert _numbers([*first, *second]) == list(range(300))
            subscription.acknowledge(last.position)
            assert not subscription.receive(SOON)
    finally:
        broker.kill()


@pytest.mark.parametrize("url", ["nats://127.0.0.1:1/a", "mqtt://127.0.0.1:1/a", "kafka://127.0.0.1:1/a"])
def test_patience_ends(url: str) -> None:
    use: dict[str, Callable[[Address], Any]] = {SOURCE: subscribe, SINK: _sent, KEYS: key_value}
    for each, ask in use.items():
        with pytest.raises(Unreachable):
            ask(address_of(url, each, {"patience": "10 ms"}))


def _sent(address: Address) -> None:
    with publisher(address) as out:
        out.publish(Message(b"{}"))
        out.flush()


def test_messages_that_are_gone_are_told(nats: Nats) -> None:
    made_stream(nats, "short", "short", max_msgs=5)
    place = Place("nats", nats.url("short"))
    place.send(range(9))
    with pytest.raises(Lost, match="messages 3 to 4 are gone before they were read"):
        place.subscribed({"sequence": 2})
    with place.subscribed({"sequence": 2}, lost="go-on") as going_on:
        assert _numbers(_all(going_on, 5)[0]) == [4, 5, 6, 7, 8]
    with pytest.raises(Lost, match="ends with message 9, and 12 was read: it was made anew"):
        place.subscribed({"sequence": 12})


def test_a_file_that_is_written_anew_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("one\ntwo\n")
    with subscribe(address_of(f"file:{path}", SOURCE)) as subscription:
        assert [each.body for each in subscription.receive(LONG).messages] == [b"one", b"two"]
        path.write_text("x\n")
        with pytest.raises(Lost, match="fewer bytes than the 8 that were read"):
            subscription.receive(SOON)
    with subscribe(address_of(f"file:{path}?lost=go-on", SOURCE), {"lines": 8}) as again:
        assert [each.body for each in again.receive(LONG).messages] == [b"x"]


def test_a_directory_grows(tmp_path: Path) -> None:
    """Lines count when they are whole; files come in the order of their names, hidden ones not at all."""
    (tmp_path / "b").write_text("3\n4")
    (tmp_path / "a").write_text("1\n\n2\r\n")
    (tmp_path / ".c").write_text("no\n")
    with subscribe(address_of(f"file://{tmp_path}", SOURCE)) as subscription:
        first = subscription.receive(LONG)
        assert [each.body for each in first.messages] == [b"1", b"2", b"3"]
        with (tmp_path / "b").open("a") as file:
            file.write("5\n")
        (tmp_path / "0").write_text("6\n")
        second = subscription.receive(LONG)
        assert [each.body for each in second.messages] == [b"6", b"45"]
    with subscribe(address_of(f"file:{tmp_path}", SOURCE), first.position) as again:
        assert again.receive(LONG) == second


# -- keys and values ----------------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "nats", "mqtt", "kafka"])
def bucket(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Address]:
    name = f"k{uuid4().hex[:12]}"
    if request.param == "memory":
        yield address_of(f"memory:{name}", KEYS)
        return
    broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(request.param, request.param))
    yield address_of(broker.url(name), KEYS)


def test_keys_and_values(bucket: Address) -> None:
    with key_value(bucket) as mine, key_value(bucket) as other:
        assert mine.get("a") is None
        assert mine.keys() == []
        assert mine.changes(0.0) == []
        first = mine.put("a", b"one")
        mine.put("b/c.d", b"")
        found = other.get("a")
        assert found is not None
        assert (found.value, found.revision) == (b"one", first)
        assert other.put("a", b"two") > first
        assert mine.get("a").value == b"two"  # type: ignore[union-attr] # it is there
        assert mine.keys() == other.keys() == ["a", "b/c.d"]
        mine.delete("a")
        mine.delete("never")
        assert other.get("a") is None
        assert other.keys() == ["b/c.d"]
        assert other.get("b/c.d").value == b""  # type: ignore[union-attr] # it is there
        for odd in ("", "a b", "a/", "*", "a..b", "#"):
            with pytest.raises(UsageError, match="is no key"):
                mine.put(odd, b"")


def test_changes_are_told(bucket: Address) -> None:
    with key_value(bucket) as mine, key_value(bucket) as other:
        other.put("a", b"1")
        other.put("b", b"2")
        other.delete("b")
        assert [(each.key, each.value) for each in mine.changes(LONG)] == [("a", b"1")], "at first all there is"
        other.put("a", b"3")
        found = mine.changes(LONG)
        assert [(each.key, each.value) for each in found] == [("a", b"3")]
        other.delete("a")
        (gone,) = mine.changes(LONG)
        assert (gone.key, gone.value) == ("a", None)
        assert gone.revision > found[0].revision
        assert mine.changes(0.0) == []


def test_compare_and_set(bucket: Address) -> None:
    with key_value(bucket) as mine, key_value(bucket) as other:
        if not mine.can_swap:
            with pytest.raises(UsageError, match="cannot compare and set"):
                mine.swap("a", b"1", 0)
            return
        first = mine.swap("a", b"1", 0)
        assert first is not None
        assert other.swap("a", b"2", 0) is None
        second = other.swap("a", b"2", first)
        assert second is not None
        assert second > first
        assert mine.swap("a", b"3", first) is None
        assert mine.get("a").value == b"2"  # type: ignore[union-attr] # it is there
        mine.delete("a")
        assert mine.swap("a", b"4", second) is None, "a key that is gone is at no revision"
        assert mine.swap("a", b"4", 0) is not None


def test_of_many_who_try_at_once_one_succeeds(bucket: Address) -> None:
    stores = [key_value(bucket) for _ in range(4)]
    try:
        if not stores[0].can_swap:
            pytest.skip("the broker cannot compare and set")
        won: list[int] = []

        def grow(mine: int) -> None:
            for _ in range(10):
                while True:
                    found = stores[mine].get("n")
                    value = 0 if found is None or found.value is None else int(found.value)
                    if stores[mine].swap("n", b"%d" % (value + 1), 0 if found is None else found.revision) is not None:
                        won.append(value + 1)
                        break

        growing = [threading.Thread(target=grow, args=(each,)) for each in range(4)]
        for each in growing:
            each.start()
        for each in growing:
            each.join()
        assert sorted(won) == list(range(1, 41))
    finally:
        for store in stores:
            store.close()


def test_every_transport_is_tried() -> None:
    """A transport that is new belongs into the parameters above."""
    able = {module.__name__.rpartition(".")[2] for module in TRANSPORTS.values() if SOURCE in module.USES}
    assert able == {*WITHOUT_SERVER, *SERVERS}, "a line in WITHOUT_SERVER, or a name in SERVERS"
    assert {Kafka.scheme, Nats.scheme, Mosquitto.scheme} <= set(TRANSPORTS)


def test_every_transport_has_all_that_one_has() -> None:
    """What is forgotten would else come out at the first address, or at the first message."""
    functions = {SOURCE: "subscribe", SINK: "publisher", KEYS: "key_value"}
    for transport in TRANSPORTS.values():
        needed = {*Transport.__annotations__, "check", *(functions[use] for use in transport.USES)}
        assert not {name for name in needed if not hasattr(transport, name)}, transport.__name__
