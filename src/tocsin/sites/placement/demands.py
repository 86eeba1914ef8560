"""What a rule asks of the network: the streams that it takes, the cuts that it has, what it tells and to whom.

Numbers only: a demand may come from a rule and its cuts (`plans`) or be made up (`bench`, tests). Types are numbered; a
set of types is a number with their bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Stream(NamedTuple):
    """What a type gives at one birthplace: how many bytes a second."""

    name: str
    site: str
    rate: float


class Piece(NamedTuple):
    """A cut that may be made: a part that takes some types and passes on so many bytes a second."""

    types: int
    rate: float
    name: str
    load: float = 0.0
    """Events a second that it takes in."""


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
    """Events a second that it takes in."""
    is_fixed: bool = False
    """Whether all its cuts are made already, and only their sites are to be chosen."""

    @property
    def everything(self) -> int:
        """All its types."""
        return (1 << len(self.streams)) - 1


@dataclass(frozen=True)
class Placement:
    """Where the parts of a demand run: those of its pieces that are made, and the rule itself."""

    at: str
    pieces: tuple[tuple[Piece, str], ...]
    """With their sites, what is taken by others first."""
    cost: float

    @property
    def sites(self) -> dict[str, str]:
        """Where each piece runs."""
        return {piece.name: site for piece, site in self.pieces}
