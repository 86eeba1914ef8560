"""Streams of JetStream, as a person would make them."""

from __future__ import annotations

import asyncio
from typing import Any

from tocsin.bench.brokers.servers import Nats


def made_stream(broker: Nats, name: str, subject: str, **settings: Any) -> None:
    """A stream that keeps a subject."""
    asyncio.run(_made(broker, name, subject, settings))


async def _made(broker: Nats, name: str, subject: str, settings: dict[str, Any]) -> None:
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{broker.port}")
    await connection.jetstream().add_stream(name=name, subjects=[subject], **settings)
    await connection.close()
