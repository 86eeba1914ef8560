"""Bodies of events on their way in: those that come at one time are taken together, which costs a fraction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tocsin.service.core import Receipt

MOST_BYTES: Final = 1 << 16
"""Bytes that are taken at once: columns of more leave the caches, and the rules would have to cut them."""


@dataclass(slots=True)
class Coming:
    """A body whose sender waits for an answer."""

    body: bytes
    actor: str
    may_send: Callable[[str], bool] | None
    answer: asyncio.Future[Receipt]
    is_taken: bool = False

    def goes_with(self, other: Coming) -> bool:
        """Whether the two may be taken together: somebody who may send all has sent both."""
        return self.actor == other.actor and self.may_send is None and other.may_send is None


def together(coming: Iterable[Coming]) -> Iterator[list[Coming]]:
    """The bodies in their order, cut into what may be taken together."""
    some: list[Coming] = []
    size = 0
    for each in coming:
        if some and (size + len(each.body) > MOST_BYTES or not each.goes_with(some[0])):
            yield some
            some, size = [], 0
        some.append(each)
        size += len(each.body) + 1
    if some:
        yield some
