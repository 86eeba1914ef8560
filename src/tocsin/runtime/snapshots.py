"""What several parts remember, as one piece of bytes: a line that names the format, a checksum, an index, the parts.

The index is JSON, and a part is what the part's own `snapshot` gives: nothing in them is run.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from tocsin.errors import SnapshotError

CHECKSUM: Final = 32
LENGTH: Final = 8


def packed(magic: bytes, index: dict[str, Any], parts: list[bytes]) -> bytes:
    """An index and parts as bytes, to be given to `opened`."""
    text = json.dumps({**index, "lengths": [len(part) for part in parts]}, separators=(",", ":")).encode()
    body = b"".join([len(text).to_bytes(LENGTH, "big"), text, *parts])
    return magic + hashlib.sha256(body).digest() + body


def opened(magic: bytes, data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The index and the parts again."""
    begin = len(magic) + CHECKSUM
    check, body = data[len(magic) : begin], data[begin:]
    if not data.startswith(magic) or hashlib.sha256(body).digest() != check:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong")
    end = LENGTH + int.from_bytes(body[:LENGTH], "big")
    index = json.loads(body[LENGTH:end])
    parts: list[bytes] = []
    for length in index.get("lengths", [len(body) - end]):  # what was saved before there were several has one part
        parts.append(body[end : end + length])
        end += length
    return index, parts
