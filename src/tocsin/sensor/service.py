"""What a sensor asks of the service, and what an answer means. `http_service` does it; tests have others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from tocsin.errors import TocsinError


class Verdict(Enum):
    """What becomes of the events of a request."""

    TAKEN = "taken"
    """All of them are settled: durable, repeats, or refused one by one."""
    LATER = "later"
    """Nothing is wrong with them. Another attempt may go well."""
    UNFIT = "unfit"
    """Something is wrong with one of them, or they are too many: fewer will show which."""
    BARRED = "barred"
    """Something is wrong with how we ask (the key, the address): it goes well when somebody has mended that."""


_UNFIT: Final = (400, 413, 422)
_LATER: Final = (408, 425, 429)


@dataclass(frozen=True)
class RefusedLine:
    """An event of a request that the service will not take, by its place in the request."""

    index: int
    code: str
    message: str


@dataclass(frozen=True)
class Answer:
    """What came of a request."""

    verdict: Verdict
    reason: str = ""
    """Why it was not taken, for people."""
    code: str = ""
    accepted: int = 0
    duplicates: int = 0
    refused: tuple[RefusedLine, ...] = ()
    wait: float | None = None
    """How many seconds the service asks to be left alone."""


class Unanswered(TocsinError):
    """The service did not tell its time."""


class Service(Protocol):
    """The event processing service, as a sensor sees it. One thread at a time."""

    def post(self, lines: list[bytes]) -> Answer:
        """Reports events, one JSON object each. Never raises: no answer is an answer, too."""

    def time(self) -> int:
        """The service's time, in microseconds since 1970; `Unanswered` where it does not say."""

    def close(self) -> None:
        """Ends the connection; the next request makes a new one."""


def answer_of(status: int, reason: str, body: bytes, wait: float | None) -> Answer:
    """What an answer over HTTP means."""
    if 200 <= status < 300:
        return _settled(body)
    code, message = _fault(body)
    said = f"HTTP {status} {reason}".rstrip() + (f": {message}" if message else "")
    if status in _UNFIT:
        return Answer(Verdict.UNFIT, said, code or f"http-{status}")
    verdict = Verdict.LATER if status >= 500 or status in _LATER else Verdict.BARRED
    return Answer(verdict, said, code, wait=wait)


def _settled(body: bytes) -> Answer:
    """What became of each event. What does not say so was not the service: somebody between us answered."""
    try:
        told = json.loads(body)
        refused = tuple(
            RefusedLine(int(each["index"]), str(each["code"]), str(each["message"])) for each in told.get("refused", ())
        )
        return Answer(Verdict.TAKEN, "", "", int(told["accepted"]), int(told.get("duplicates", 0)), refused)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Answer(
            Verdict.BARRED, "the answer does not say what became of the events: is this the service's address?"
        )


def _fault(body: bytes) -> tuple[str, str]:
    """The code and the message of the first fault, where there is one."""
    try:
        fault = json.loads(body)["faults"][0]
        return str(fault["code"]), str(fault["message"])
    except (ValueError, KeyError, TypeError, IndexError):
        return "", ""
