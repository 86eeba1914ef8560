"""The least that takes events over HTTP and keeps them: what the service is measured against.

    python -m tocsin.bench.service.reference_chain STORE [URL]

uvicorn with httptools and uvloop, a bare ASGI application, msgspec decoding each event into a record, a row of SQLite
for each body, and one commit for all bodies that wait (WAL, synchronous=full). An answer is given when the row lasts.
It knows no keys, repeats, declarations, bad events or rules. With a URL it also POSTs each event of a type that begins
with `b` there, once it lasts.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import aiohttp
import apsw
import msgspec
import uvicorn
import uvloop

Message = MutableMapping[str, Any]
PATH: Final = "/v1/events"


class Record(msgspec.Struct, gc=False):
    """An event."""

    type: str
    id: str
    time: float
    data: dict[str, str | int | float | bool | None]
    source: str = ""


class ReferenceChain:
    """The application."""

    def __init__(self, store: str, notify: str) -> None:
        self._store, self._notify = apsw.Connection(store), notify
        self._store.pragma("journal_mode", "wal")
        self._store.pragma("synchronous", "full")
        self._store.execute("CREATE TABLE log (position INTEGER PRIMARY KEY, count INTEGER, body BLOB)")
        self._decode = msgspec.json.Decoder(Record).decode_lines
        self._writing = ThreadPoolExecutor(1)
        self._waiting: list[tuple[int, bytes]] = []
        self._asking: list[asyncio.Future[None]] = []
        self._committing: asyncio.Task[None] | None = None
        self._client: aiohttp.ClientSession | None = None
        self._posting: set[asyncio.Task[None]] = set()

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        pieces = []
        while True:
            message = await receive()
            pieces.append(message["body"])
            if not message["more_body"]:
                break
        body = b"".join(pieces)
        events = self._decode(body)
        await self._lasting(len(events), body)
        if self._notify:
            self._tell([event for event in events if event.type.startswith("b")])
        answer = b'{"accepted":%d}' % len(events)
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 202, "headers": head})
        await send({"type": "http.response.body", "body": answer})

    def _lasting(self, count: int, body: bytes) -> Awaitable[None]:
        loop = asyncio.get_running_loop()
        ack = loop.create_future()
        self._waiting.append((count, body))
        self._asking.append(ack)
        if self._committing is None:
            self._committing = loop.create_task(self._commit())
        return ack

    async def _commit(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            rows, self._waiting = self._waiting, []
            asking, self._asking = self._asking, []
            await loop.run_in_executor(self._writing, self._write, rows)
            for ack in asking:
                ack.set_result(None)
        self._committing = None

    def _write(self, rows: list[tuple[int, bytes]]) -> None:
        with self._store:
            self._store.executemany("INSERT INTO log (count, body) VALUES (?, ?)", rows)

    def _tell(self, events: list[Record]) -> None:
        for event in events:
            posting = asyncio.get_running_loop().create_task(self._post(msgspec.json.encode(event)))
            self._posting.add(posting)
            posting.add_done_callback(self._posting.discard)

    async def _post(self, body: bytes) -> None:
        if self._client is None:
            self._client = aiohttp.ClientSession()
        async with self._client.post(self._notify, data=body) as answer:
            await answer.read()


async def _serve(store: str, notify: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    app = ReferenceChain(store, notify)
    config = uvicorn.Config(
        app, http="httptools", lifespan="off", log_config=None, access_log=False, timeout_keep_alive=75
    )
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    await uvicorn.Server(config).serve([listener])


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))
