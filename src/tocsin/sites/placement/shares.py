"""What flows where a part is divided into shares: each has as much as the others, as far as anybody knows."""

from __future__ import annotations

from tocsin.sites.parts import Part
from tocsin.sites.placement.rates import Flow


def part_of_it(part: Part, flow: Flow) -> Flow:
    """What a share has of a flow, where all have as much."""
    return flow if part.share is None else flow.times(1 / part.share.of)


def whole(part: Part, flow: Flow) -> Flow:
    """All of which a share has this much."""
    return flow if part.share is None else flow.times(part.share.of)


def said_share(part: Part) -> str:
    """Which share of what is cut off a part is, behind its text."""
    return "" if part.share is None else f", share {part.share.number + 1} of {part.share.of}"
