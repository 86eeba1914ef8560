"""What goes over the links of a site, counted since it was started: whoever runs the site adds the bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tocsin.sites.links import Message


@dataclass
class Link:
    """What was sent to another site."""

    messages: int = 0
    outputs: int = 0
    """Of streams, with those that were sent again."""
    bytes: int = 0


@dataclass
class Meters:
    """The links of a site."""

    links: dict[str, Link] = field(default_factory=dict)

    def sends(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Messages are to be sent."""
        for to, message in messages:
            link = self.link(to)
            link.messages += 1
            if message["is"] == "outputs":
                link.outputs += len(message["outputs"])

    def sent(self, to: str, size: int) -> None:
        """So many bytes went out, to a site or to everybody."""
        self.link(to).bytes += size

    def link(self, to: str) -> Link:
        """The link to a site."""
        return self.links.setdefault(to, Link())

    def described(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            to: {"messages": link.messages, "outputs": link.outputs, "bytes": link.bytes or None}
            for to, link in sorted(self.links.items())
        }
