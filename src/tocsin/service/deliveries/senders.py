"""What is sent to a target, what came of it, and who sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, Protocol

from tocsin.service.deliveries.targets import Target


class Result(Enum):
    """What came of an attempt."""

    TAKEN = "taken"
    FAILED = "failed"
    """Another attempt may go well."""
    REFUSED = "refused"
    """No attempt can go well as things are: a dead letter at once."""
    GONE = "gone"
    """The receiver wants no more: its target is disabled."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt, why, and for how many seconds the receiver asks to be left alone."""

    result: Result
    reason: str = ""
    retry_after: float | None = None


TAKEN = Outcome(Result.TAKEN)


@dataclass(frozen=True, slots=True)
class Message:
    """A notification as it is sent: the detection as JSON, under a name that is the same in every attempt."""

    id: str
    body: bytes
    request: str = ""


class Sender(Protocol):
    """Sends messages to targets of one kind. It raises nothing: what goes wrong is an outcome."""

    async def send(self, target: Any, message: Message) -> Outcome:
        """Sends a message; returns when it was taken, or is known not to be."""

    async def close(self) -> None:
        """Lets go of connections and threads."""


Senders = Mapping[type[Target], Sender]
"""Who sends to which kind of target."""


def message_of(request: str, body: bytes) -> Message:
    """The message for a notification; its name says which request and which detection it is about, whoever gets it."""
    return Message(f"msg_{sha256(request.encode() + b'/' + body).hexdigest()[:32]}", body, request)
