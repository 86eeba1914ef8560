"""Kafka: topics. Spark's own connector reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tocsin.errors import UsageError
from tocsin.transports.address import BOTH, SOURCE, Address, Option
from tocsin.transports.unreachable import probe

SCHEMES: Final = {"kafka": 9092}
PREFIX: Final = "ce_"
USES: Final = BOTH
HAS_OPTIONS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "group": Option("the consumer group that the broker sees", uses=(SOURCE,)),
    "start": Option("where a new checkpoint begins", "first", "first|new", (SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "500000", "number", (SOURCE,)),
    "lost": Option("what happens if messages are gone before they were read", "fail", "fail|go-on", (SOURCE,)),
    "security": Option("Kafka's security.protocol", None, "PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL"),
    "connector": Option("the version of Spark's connector, if not that of Spark"),
}
_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")


def check(address: Address, use: str) -> None:
    """Whether the path is a topic, and somebody answers."""
    if not _TOPIC.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no topic: kafka://HOST:9092/TOPIC")
    probe(address)
