"""What a failure would block: the rules that wait until a site, or a link, is back."""

from __future__ import annotations

from collections.abc import Iterator

from tocsin.sites.deployment import Deployment
from tocsin.sites.parts import TOLD
from tocsin.sites.placement.topologies import Topology


def blocked_by(deployment: Deployment, topology: Topology) -> dict[str, list[str]]:
    """By what fails, a site or a link: the rules that would wait. What blocks nothing is there too."""
    wholes = {rule: list(_ways(deployment, stream)) for rule, stream in sorted(deployment.told.items())}
    found: dict[str, list[str]] = {}
    for site in topology.sites:
        left = _without(topology, site, None)
        found[f"site {site}"] = [rule for rule, ways in wholes.items() if any(_is_cut(way, left, site) for way in ways)]
    for link in topology.links:
        left = _without(topology, None, (link.one, link.other))
        blocked = [rule for rule, ways in wholes.items() if any(_is_cut(way, left, None) for way in ways)]
        found[f"link {link.one} - {link.other}"] = blocked
    return found


def _ways(deployment: Deployment, stream: str) -> Iterator[tuple[str, str]]:
    """From where to where something has to come so that a stream is told."""
    by_key = {each.part.key: each for each in deployment.placed}

    def below(key: str, to: str) -> Iterator[tuple[str, str]]:
        part, site = by_key[key]
        yield site, to
        for each in part.inputs:
            yield from below(each, site)

    yield from below(stream.removesuffix(TOLD), deployment.sink)


def _is_cut(way: tuple[str, str], group: dict[str, int], failed: str | None) -> bool:
    one, other = way
    return failed in way or group[one] != group[other]


def _without(topology: Topology, site: str | None, link: tuple[str, str] | None) -> dict[str, int]:
    """Which sites still reach each other: those of one number. Without links each reaches each other."""
    if not topology.links:
        return dict.fromkeys(topology.sites, 0)
    beside: dict[str, set[str]] = {each: set() for each in topology.sites}
    for each in topology.links:
        if {each.one, each.other} != set(link or ()) and site not in (each.one, each.other):
            beside[each.one].add(each.other)
            beside[each.other].add(each.one)
    group: dict[str, int] = {}
    for number, start in enumerate(topology.sites):
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if here not in group:
                group[here] = number
                waiting += beside[here]
    return group
