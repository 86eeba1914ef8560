"""Plain JSON: the body of a message is what a line of JSON Lines is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tocsin.encodings.message import Message, key_of
from tocsin.formats.jsonl import parse_record
from tocsin.formats.refused import Refused
from tocsin.formats.writers import to_json

NAME: Final = "json"
OPTIONS: Final[Mapping[str, str]] = {}


class _Json:
    CONTENT_TYPE = "application/json"

    def decode(self, message: Message) -> dict[str, object]:
        return parse_record(text_of(message.body))

    def encode(self, record: Mapping[str, object]) -> Message:
        return Message(to_json(record).encode(), {}, key_of(record))


def codec(options: Mapping[str, str], prefix: str | None) -> _Json:
    """There is one way."""
    return _Json()


def text_of(body: bytes) -> str:
    """The body as text."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"the body is no text in UTF-8: byte {error.start + 1} is {body[error.start]:#04x}") from None
