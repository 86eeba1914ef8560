"""NATS JetStream: subjects, kept by streams in which every message has a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.transports.address import BOTH, SOURCE, Address, Option, tls_of
from tocsin.transports.unreachable import PROBING, Unreachable, probe

if TYPE_CHECKING:
    from nats.aio.client import Client

SCHEMES: Final = {"nats": 4222, "nats+tls": 4222}
PREFIX: Final = "ce-"
USES: Final = BOTH
HAS_OPTIONS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "stream": Option("the stream that keeps the subject; found by the subject if left out"),
    "start": Option("where a new checkpoint begins", "first", "first|new", (SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "100000", "number", (SOURCE,)),
    "lost": Option("what happens if messages are gone before they were read", "fail", "fail|go-on", (SOURCE,)),
    "ca": Option("a file with the certificates that are trusted, for nats+tls"),
    "patience": Option("how long a broker that has gone is waited for", "2 min", "span"),
}
_SUBJECT: Final = re.compile(r"[^\s.>*]+(\.[^\s.>*]+)*")
_FILTER: Final = re.compile(r"([^\s.>*]+|\*)(\.([^\s.>*]+|\*))*(\.>)?|>")


def check(address: Address, use: str) -> None:
    """Whether the path is a subject, the library is there, somebody answers, and a stream keeps the subject."""
    pattern = _FILTER if use == SOURCE else _SUBJECT
    if not pattern.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no subject: nats://HOST:4222/SUBJECT")
    library()
    probe(address)
    import asyncio

    asyncio.run(_check_stream(address))


async def _check_stream(address: Address) -> None:
    connection = await connected(address)
    try:
        await stream_of(connection, address)
    finally:
        await connection.close()


def library() -> Any:
    """The client library."""
    try:
        import nats
    except ImportError:
        raise MissingDependency("nats-py", "brokers") from None
    return nats


async def connected(address: Address) -> Client:
    """A connection. It does not come back by itself: what was under way is begun again by whoever has it."""
    nats = library()

    async def quiet(error: Exception) -> None:
        """The library would print it; whoever waits for an answer learns of it."""

    is_safe = address.scheme == "nats+tls"
    urls = [f"{'tls' if is_safe else 'nats'}://{host}:{port}" for host, port in address.hosts]
    try:
        made: Client = await nats.connect(
            urls,
            allow_reconnect=False,
            max_reconnect_attempts=1,  # also the first connection would be tried sixty times
            reconnect_time_wait=0,
            connect_timeout=int(PROBING),
            error_cb=quiet,
            user=address.user,
            password=address.password,
            name="tocsin",
            tls=tls_of(address) if is_safe else None,
        )
    except (OSError, TimeoutError, ValueError, nats.errors.Error) as error:
        raise Unreachable(f"{address}: NATS does not answer: {error or type(error).__name__}") from None
    return made


async def stream_of(connection: Client, address: Address) -> Any:
    """The stream that keeps the subject, as JetStream describes it."""
    nats = library()
    manager = connection.jsm()
    name = address.options.get("stream")
    try:
        if name is None:
            name = await manager.find_stream_name_by_subject(address.path)
        found = await manager.stream_info(name)
    except nats.js.errors.NotFoundError:
        what = f"no stream keeps {address.path!r}" if name is None else f"there is no stream {name!r}"
        raise UsageError(f"{address}: {what}: make one (nats stream add), or name one, stream=NAME") from None
    except nats.js.errors.ServiceUnavailableError:
        raise UsageError(f"{address}: JetStream is not enabled there (nats-server --jetstream)") from None
    except (OSError, TimeoutError, nats.errors.Error) as error:
        raise Unreachable(f"{address}: JetStream does not answer: {error or type(error).__name__}") from None
    if found.config.retention == "workqueue":
        raise UsageError(f"{address}: stream {found.config.name!r} is a work queue, which forgets what was read once")
    return found
