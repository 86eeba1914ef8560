"""What a rule asks of the network: the streams that it takes, the cuts that it has, what it tells and to whom.

Numbers only: a demand may come from a rule and its cuts (`plans`) or be made up (`bench`, tests). Types are numbered; a
set of types is a number with their bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS

QUESTION: Final = 45.0
"""Bytes of the question how far a stream has got."""
ANSWER: Final = 75.0
"""... of the answer, where it does not come with the next output."""
PATIENCE: Final = 1.0
"""Questions a second, at most, to a stream that gets on only when something happens."""
TOKEN: Final = 120.0
"""... of a token on each of its hops, where streams are asked by tokens."""
BEATS: Final = 5.0
"""Heartbeats a second of a stream that is taken by them and gets on with the clock."""


class Stream(NamedTuple):
    """What a type gives at one birthplace: how many bytes a second, and how many events."""

    name: str
    site: str
    rate: float
    events: float = 0.0
    is_clocked: bool = False
    """Whether it gets on with the clock: then each question is answered at once."""


class Piece(NamedTuple):
    """A cut that may be made: a part that takes some types and passes on so many bytes and events a second."""

    types: int
    rate: float
    name: str
    load: float = 0.0
    """Events a second that it takes in, if nothing is cut off it."""
    events: float = 0.0
    is_clocked: bool = False


@dataclass(frozen=True)
class Demand:
    """A rule."""

    name: str
    streams: tuple[tuple[Stream, ...], ...]
    """By type: one at each birthplace."""
    pieces: tuple[Piece, ...] = ()
    told: float = 0.0
    """Bytes a second of what it detects."""
    load: float = 0.0
    """Events a second that it takes in, if nothing is cut off it."""
    way: str = REQUESTS
    """How parts hear how far their streams have got."""

    @property
    def everything(self) -> int:
        """All its types."""
        return (1 << len(self.streams)) - 1

    def inputs(self, types: int, pieces: Iterable[Piece]) -> Iterator[Stream | Piece]:
        """What a part takes for its types: of cuts that were made, outer ones first, and else straight streams."""
        for piece in pieces:
            if piece.types & types == piece.types:
                yield piece
                types ^= piece.types
        for kind, streams in enumerate(self.streams):
            if types >> kind & 1:
                yield from streams

    def asking(self, is_clocked: bool, events: float, often: float) -> float:
        """Bytes a second of so many questions how far a stream has got that has so many events, and of their answers.

        For each instant at which something comes of one stream the others are asked; and what a part takes is asked
        through it, as often as it is asked itself.
        """
        if self.way == TOKENS:
            return 2 * TOKEN * (often if is_clocked else min(often, PATIENCE))
        if not is_clocked:
            return QUESTION * (often if often < PATIENCE else PATIENCE)
        if self.way == HEARTBEATS:
            return max(0.0, BEATS - events) * ANSWER
        return often * (QUESTION + ANSWER)


@dataclass(frozen=True)
class Placement:
    """Where the parts of a demand run: those of its cuts that are made, and the rule itself."""

    at: str
    pieces: tuple[tuple[Piece, str], ...]
    """With their sites: outer ones first, before what is cut off them."""
    cost: float
