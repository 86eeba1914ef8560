"""The process of `tocsin serve`: it takes the store, listens, says where, and ends in order."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
import uvloop

from tocsin.errors import UsageError
from tocsin.rules.loader import read_text
from tocsin.service.access.authentication import Authentication
from tocsin.service.access.keys import issue
from tocsin.service.access.limits import GuessLimiter
from tocsin.service.access.permissions import Role
from tocsin.service.logs import set_up
from tocsin.service.requests import RequestRefused
from tocsin.service.rules_files import documents_of
from tocsin.service.server import Service
from tocsin.service.settings import Settings
from tocsin.service.store import StoreTaken
from tocsin.service.web.app import App
from tocsin.service.web.connections import Connection, watch

log: Final = logging.getLogger("tocsin.service")
_COLLECTING: Final = (20_000, 10, 20)
"""When garbage is collected: hardly anything here goes round in circles."""
AGAIN: Final = 0.5
"""Seconds after which a standby looks whether the other is gone."""
LEAVING: Final = 5
"""Seconds for answers that are under way when the service ends: who reads none of it, or asks for long, is left."""


def serve(settings: Settings) -> int:
    """Serves until it is interrupted."""
    set_up(settings.log)
    for warning in settings.warnings:
        log.warning("%s", warning)
    return uvloop.run(_serve(settings))


class _Server(uvicorn.Server):
    """uvicorn, of which this process alone says when it ends."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _serve(settings: Settings) -> int:
    stopping = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stopping.set)
    tls = settings.listen.tls()
    if tls is not None:
        tls()  # what is wrong with the certificate is said now
    listener = listening(settings.listen.host, settings.listen.port)
    while await _served(settings, listener, stopping):
        if not settings.standby:
            return 1
    return 0


async def _served(settings: Settings, listener: socket.socket, stopping: asyncio.Event) -> bool:
    """Serves until it is interrupted, or another service has the store. Whether that was so."""
    service = Service(settings)
    if not await _started(service, settings, stopping):
        return False
    tls = settings.listen.tls()
    sockets = [listener.dup()]  # uvicorn closes what it was given
    authentication = Authentication(service.ring, GuessLimiter(settings.access.guessing), service.tokens)
    await _load(service, settings.rules)
    app = App(service, authentication)
    server = _Server(
        uvicorn.Config(
            app,
            http=Connection,
            ws="websockets-sansio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=settings.limits.connections,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=LEAVING,
            ws_max_size=settings.limits.body,
            proxy_headers=bool(settings.listen.proxies),
            forwarded_allow_ips=[str(each) for each in settings.listen.proxies],
            ssl_context_factory=None if tls is None else lambda *_: tls(),
        )
    )
    gc.collect()
    gc.freeze()  # what is there now stays, and need not be looked at again and again
    gc.set_threshold(*_COLLECTING)
    running = asyncio.ensure_future(server.serve(sockets))
    service.begin(watch(server.server_state.connections, settings.limits.header_time / 1e6))
    await _say(service, settings, sockets[0])
    ends = [asyncio.ensure_future(each.wait()) for each in (stopping, service.lost)]
    await asyncio.wait((running, *ends), return_when=asyncio.FIRST_COMPLETED)
    for each in ends:
        each.cancel()
    if service.lost.is_set():
        log.error("stopping: another service has the store, and goes on from what was kept")
    else:
        log.info("stopping: what has come is evaluated and kept")
    server.should_exit = True
    service.stream.close()
    await running
    await service.stop()
    return service.lost.is_set()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; before anything else is done, so that a port that is taken is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
    except OSError as error:
        made.close()
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    made.listen(2048)  # who comes before the service is ready waits
    made.setblocking(False)
    return made


async def _started(service: Service, settings: Settings, stopping: asyncio.Event) -> bool:
    """Takes the store; a standby waits for it."""
    is_told = False
    while not stopping.is_set():
        try:
            await service.start()
        except StoreTaken:
            if not settings.standby:
                raise
            if not is_told:
                log.info("standing by: another service has the store")
            is_told = True
            try:
                await asyncio.wait_for(stopping.wait(), AGAIN)
            except TimeoutError:
                continue
        else:
            return True
    return False


async def _say(service: Service, settings: Settings, listener: socket.socket) -> None:
    """Three lines: where it listens, where its data are, what to try next."""
    host, port = listener.getsockname()[:2]
    url = f"{settings.listen.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    lines = [f"listening on {url}", f"data in {settings.store.place}"]
    if not len(service.ring):
        issued = issue("operator", Role.OPERATOR, service.clock())
        await service.keep_keys([issued.record], "key.create", "")
        lines.append(f"the operator's key, told this once: {issued.text}")
        lines.append(f"try: TOCSIN_URL={url} TOCSIN_KEY={issued.text} tocsin send --type hello")
    else:
        lines.append(f"try: TOCSIN_URL={url} TOCSIN_KEY=... tocsin service status")
    print("\n".join(lines), flush=True)


async def _load(service: Service, paths: Iterable[str]) -> None:
    """Rules files as requests of the operator: what is new or other is asked for, what is equal stays."""
    standing = {each.name: each for each in service.core.asked.requests.values()}
    for path in paths:
        for document in documents_of(read_text(Path(path)), path):
            before = standing.get(str(document["name"]))
            try:
                if before is None:
                    _, position = service.core.create(document, service.clock(), "operator", "operator")
                elif dict(before.document) != document:
                    _, position = service.core.alter(before.id, document, service.clock(), "operator")
                else:
                    continue
            except RequestRefused as error:
                raise UsageError(f"{path}: {error}") from None
            await service.lasting(position)
