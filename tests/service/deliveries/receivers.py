"""Receivers of notifications on the loopback: they answer as they are told, late, or not at all."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult


@dataclass
class Received:
    """A request that came."""

    headers: dict[str, str]
    body: bytes
    peer: tuple[str, int]


@dataclass
class Answer:
    """What a receiver says, once it is let."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    after: asyncio.Event | None = None


@dataclass
class Receiver:
    """A receiver: what it was sent, and what it is going to answer (200 once that is used up)."""

    url: str = ""
    requests: list[Received] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    usual: Answer = field(default_factory=Answer)
    came: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, enough: Callable[[], bool]) -> None:
        """Waits until enough has come."""
        async with self.came:
            await self.came.wait_for(enough)

    async def has(self, count: int) -> None:
        """Waits for so many requests."""
        await self.until(lambda: len(self.requests) >= count)

    async def answer(self, request: web.Request) -> web.Response:
        """Takes a request and answers it."""
        peer = request.transport.get_extra_info("peername") if request.transport else ("", 0)
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Received(headers, await request.read(), peer))
        async with self.came:
            self.came.notify_all()
        answer = self.answers.pop(0) if self.answers else self.usual
        if answer.after is not None:
            await answer.after.wait()
        if answer.status == 0:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(status=answer.status or 200, headers=answer.headers, body=answer.body)


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver at a free port."""
    made = Receiver()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", made.answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    made.url = f"http://{host}:{port}/hook?token=x"
    try:
        yield made
    finally:
        await runner.cleanup()


class Names(AbstractResolver):
    """A name server of a stranger: what a name means changes from one question to the next."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            ResolveResult(hostname=host, host=each, port=port, family=socket.AF_INET6 if ":" in each else socket.AF_INET,
                          proto=0, flags=socket.AI_NUMERICHOST)
            for each in answer
        ]  # fmt: skip

    async def close(self) -> None:
        """There is nothing to close."""
