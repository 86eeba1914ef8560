"""Questions for the process that answers them (`questions`): one at a time, each for so long, and then it is ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any, Final

MEMORY: Final = 4 << 30
LONGEST: Final = 64 << 20
"""Bytes of an answer."""
STOP: Final = "stop"
"""Asked where nobody waits any more for what was asked before."""
STOPPING: Final = 1.0
"""Seconds that the process has to stop with what it does; then it is ended."""
_SECRETS: Final = ("TOCSIN_KEY", "TOCSIN_URL")


Hear = Callable[[dict[str, Any]], None]


class Unanswered(Exception):
    """A question that has no answer: what is wrong with it, as data."""

    def __init__(self, status: int, faults: list[dict[str, Any]]) -> None:
        self.status, self.faults = status, faults
        super().__init__("; ".join(fault["message"] for fault in faults))


class Questioner:
    """Asks, and begins another process where one was ended."""

    def __init__(self, store: str, *, memory: int = MEMORY, password: str | None = None) -> None:
        self._store, self._memory = store, memory
        self._secrets = {} if password is None else {"PGPASSWORD": password}  # what is an argument is everybody's
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_warm(self) -> bool:
        """Whether the process has begun."""
        return self._process is not None and self._process.returncode is None

    async def warm(self) -> None:
        """Begins the process, so that whoever asks soon does not wait for that."""
        async with self._turn:
            await self._running()

    async def ask(self, question: str, seconds: float, hear: Hear | None = None, **given: Any) -> dict[str, Any]:
        """The answer, if there is one in so many seconds. `hear` is told how far it has got."""
        line = json.dumps({"question": question, "given": given}, ensure_ascii=False).encode() + b"\n"
        async with self._turn:
            process = await self._running()  # that it has to begin is nothing that was asked
            try:
                async with asyncio.timeout(seconds):
                    answer = await self._answer(process, line, hear)
            except TimeoutError:
                await self._end()
                message = f"this took longer than {seconds:g} s, and was stopped"
                raise Unanswered(422, [{"code": "took-too-long", "message": message}]) from None
            except asyncio.CancelledError:
                await self._stop(process)
                raise
            except BaseException:
                await self._end()
                raise
        if "faults" in answer:
            raise Unanswered(422, answer["faults"])
        found: dict[str, Any] = answer["answer"]
        return found

    async def _answer(self, process: asyncio.subprocess.Process, line: bytes, hear: Hear | None) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        while True:
            try:
                await process.stdin.drain()
                found = await process.stdout.readline()
            except (ConnectionError, ValueError):
                found = b""
            if not found.endswith(b"\n"):
                await self._end()
                message = "the process that works on this ended: it needs more memory than there is for it"
                raise Unanswered(422, [{"code": "question-too-large", "message": message}])
            answer: dict[str, Any] = json.loads(found)
            if "progress" not in answer:
                return answer
            if hear is not None:
                hear(answer["progress"])

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        """Nobody waits any more: what tells how far it has got stops by itself, and the process is there for others."""
        line = json.dumps({"question": STOP}).encode() + b"\n"
        try:
            async with asyncio.timeout(STOPPING):
                await self._answer(process, line, None)
        except (TimeoutError, Unanswered):
            await self._end()
        except BaseException:
            await self._end()
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or not self.is_warm:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # no module is taken from the working directory
                "-m",
                "tocsin.service.questions",
                self._store,
                str(self._memory),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name not in _SECRETS} | self._secrets,
                start_new_session=True,
                limit=LONGEST,
            )
            assert self._process.stdout is not None
            try:
                await self._process.stdout.readline()  # it is there
            except BaseException:
                await self._end()  # what it says when it is there would be taken for an answer
                raise
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def close(self) -> None:
        """Ends the process."""
        await self._end()
