"""Answers that take their time, as lines of JSON: how far it has got, again and again, and at last the answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tocsin.service.questioner import Hear, Unanswered

log: Final = logging.getLogger("tocsin.service")
LINES: Final = "application/x-ndjson"

Ask = Callable[[Hear], Awaitable[dict[str, Any]]]


class Progress(Response):
    """`{"progress": ...}` as often as something is told, then `{"answer": ...}` or `{"faults": [...]}`.

    Whoever goes away ends it: what is asked is no longer worked on.
    """

    def __init__(self, ask: Ask) -> None:
        super().__init__(media_type=LINES, headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._ask = ask

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lines: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        asking = asyncio.ensure_future(self._asked(lines))
        gone = asyncio.ensure_future(_until_closed(receive))
        gone.add_done_callback(lambda done: None if done.cancelled() else asking.cancel())
        asking.add_done_callback(lambda _: lines.put_nowait(None))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while (line := await lines.get()) is not None:
                body = json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
                await send({"type": "http.response.body", "body": body, "more_body": True})
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def _asked(self, lines: asyncio.Queue[dict[str, Any] | None]) -> None:
        try:
            answer = await self._ask(lambda told: lines.put_nowait({"progress": told}))
        except Unanswered as error:
            lines.put_nowait({"faults": error.faults})
        except Exception:
            log.exception("a question that takes its time failed")
            message = "this is a fault of the service: its log says more"
            lines.put_nowait({"faults": [{"code": "internal", "message": message}]})
        else:
            lines.put_nowait({"answer": answer})


async def _until_closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
