"""How fast the transports are by themselves: messages of 160 bytes to a real broker and from it, without rules.

`nats-publish`, `nats-receive`, `mqtt-...`, `kafka-...`: messages a second of wall time, the broker on the same machine;
beside them the same per CPU-second of this process. What came is compared with what was sent.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.encodings import Message
from tocsin.transports import SINK, SOURCE, address_of, publisher, subscribe

MESSAGES: Final = 200_000
SIZE: Final = 160
TRIES: Final = 3
_PATH: Final = "rates"
_WAITING: Final = 30.0


def _measured(name: str, kind: Callable[[Path], Broker], count: int, target: int | None, scale: float) -> Record:
    total = max(1000, round(count * scale))
    messages = [Message(b"%08d" % number + b"x" * (SIZE - 8)) for number in range(total)]
    best: Record | None = None
    with tempfile.TemporaryDirectory(prefix="tocsin-rates-") as home, kind(Path(home)) as broker:
        for turn in range(TRIES):
            path = f"{_PATH}{turn}"
            if isinstance(broker, Nats):
                asyncio.run(_made_stream(broker, path))
            record = _turn(name, broker.url(path), messages, target)
            if best is None or record.ratio > best.ratio:
                best = record
    assert best is not None
    return best


def _turn(name: str, url: str, messages: list[Message], target: int | None) -> Record:
    """Publishes all, and then receives all; one of the two is what is told."""
    source = address_of(url, SOURCE)
    session = "rates"
    subscribe(source, None, session).close()  # from now on MQTT's broker keeps what comes
    with publisher(address_of(url, SINK)) as out:
        begun, used = time.monotonic(), time.process_time()
        for message in messages:
            out.publish(message)
        taken = out.flush().taken
        sent = time.monotonic() - begun, time.process_time() - used
    with subscribe(source, None, session) as subscription:
        bodies: list[bytes] = []
        begun, used = time.monotonic(), time.process_time()
        while len(bodies) < len(messages):
            delivery = subscription.receive(_WAITING)
            if not delivery:
                break
            bodies += [each.body for each in delivery.messages]
            subscription.acknowledge(delivery.position)
        came = time.monotonic() - begun, time.process_time() - used
    agrees = taken == len(messages) and sorted(bodies) == [each.body for each in messages]
    wall, cpu = sent if name.endswith("publish") else came
    return Record(
        name,
        len(messages),
        len(bodies),
        sum(int(each[:8]) for each in bodies) % 2**61,
        max(cpu, 1e-9),
        len(messages) / wall,
        "messages a second",
        None if target is None else Target(target),
        agrees,
        is_compiled(),
        {"seconds": wall},
    )


async def _made_stream(broker: Nats, path: str) -> None:
    from nats import connect

    connection = await connect(f"nats://127.0.0.1:{broker.port}")
    await connection.jetstream().add_stream(name=path, subjects=[path])
    await connection.close()


RATES: Final[dict[str, Callable[[float], Record]]] = {
    "nats-publish": partial(_measured, "nats-publish", Nats, MESSAGES, 60_000),
    "nats-receive": partial(_measured, "nats-receive", Nats, MESSAGES, 80_000),
    "mqtt-publish": partial(_measured, "mqtt-publish", Mosquitto, MESSAGES // 4, None),
    "mqtt-receive": partial(_measured, "mqtt-receive", Mosquitto, MESSAGES // 4, 10_000),
    "kafka-publish": partial(_measured, "kafka-publish", Kafka, MESSAGES, None),
    "kafka-receive": partial(_measured, "kafka-receive", Kafka, MESSAGES, None),
}
"""A further figure of a transport is a line here."""
