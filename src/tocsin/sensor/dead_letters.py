"""A file for events that the service refused: each with the reason, to be mended and sent again."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Refusal:
    """An event that the service will not take: as it was sent, and what is wrong with it."""

    event: dict[str, object]
    code: str
    message: str


class DeadLetters:
    """Writes one JSON object a refusal: `{"code", "message", "event"}`. Added to what the file holds already."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def add(self, refusals: list[Refusal]) -> None:
        """Keeps them. When it returns they are on the disk: from then on nothing else has them."""
        lines = (json.dumps({"code": each.code, "message": each.message, "event": each.event}) for each in refusals)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="ascii") as file:
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
