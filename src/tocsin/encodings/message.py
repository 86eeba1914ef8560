"""A message: what a broker carries. Encodings make events of it, and it of detections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Message:
    """A body, and what stands beside it where the transport has room for that."""

    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    """What it is about: brokers keep messages of one key in order, or leave out one that they have had."""


def key_of(record: Mapping[str, object]) -> str:
    """The key of a record: the name of the event, which is its id, and the source where it has one."""
    source, name = record.get("source"), str(record.get("id", ""))
    return f"{source}/{name}" if source and name else name
