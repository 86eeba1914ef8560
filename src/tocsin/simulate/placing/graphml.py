"""Topologies from GraphML files, as the Internet Topology Zoo has them: links as long as the way over the earth is."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from tocsin.errors import UsageError
from tocsin.sites.placement.topologies import Link, Topology

_NAMESPACE: Final = "{http://graphml.graphdrawing.org/xmlns}"
_EARTH: Final = 6371.0
MICROSECONDS: Final = 5.0
"""That light takes for a kilometre of fibre."""
UNKNOWN: Final = 1_000.0
"""Microseconds of a link where places are not known."""
LEAST: Final = 100.0
MOST_BYTES: Final = 20_000_000


def read_graphml(path: Path) -> Topology:
    """The largest part of it that hangs together, since the rest is never heard of."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path}: more than {MOST_BYTES // 1_000_000} MB are not read")
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:  # entities may grow without end
        raise UsageError(f"{path}: a GraphML file has no document type")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UsageError(f"{path}: {error}") from None
    names, places = _nodes(root)
    links: dict[tuple[str, str], Link] = {}
    for edge in root.iter(f"{_NAMESPACE}edge"):
        try:
            one, other = sorted((names[edge.get("source", "")], names[edge.get("target", "")]))
        except KeyError:
            raise UsageError(f"{path}: an edge leads to a node that is not there") from None
        if one != other:
            links[one, other] = Link(one, other, 1.0, _delay(places.get(one), places.get(other)))
    if not links:
        raise UsageError(f"{path}: there are no links in it")
    return _largest(list(links.values()))


def _nodes(root: ElementTree.Element) -> tuple[dict[str, str], dict[str, tuple[float, float]]]:
    """The nodes' names by their ids, and where they are."""
    keys = {key.get("id"): key.get("attr.name") for key in root.iter(f"{_NAMESPACE}key") if key.get("for") == "node"}
    names: dict[str, str] = {}
    places: dict[str, tuple[float, float]] = {}
    for node in root.iter(f"{_NAMESPACE}node"):
        about = {keys.get(data.get("key")): (data.text or "").strip() for data in node.iter(f"{_NAMESPACE}data")}
        identity = node.get("id", "")
        label = about.get("label") or identity
        name = label if label not in names.values() else f"{label} {identity}"
        names[identity] = name
        try:
            places[name] = float(about["Latitude"]), float(about["Longitude"])
        except (KeyError, ValueError):
            continue
    return names, places


def _delay(one: tuple[float, float] | None, other: tuple[float, float] | None) -> float:
    if one is None or other is None:
        return UNKNOWN
    (north, east), (north2, east2) = ((radians(a), radians(b)) for a, b in (one, other))
    half = sin((north2 - north) / 2) ** 2 + cos(north) * cos(north2) * sin((east2 - east) / 2) ** 2
    return max(LEAST, 2 * _EARTH * asin(sqrt(half)) * MICROSECONDS)


def _largest(links: list[Link]) -> Topology:
    beside: dict[str, list[str]] = {}
    for link in links:
        beside.setdefault(link.one, []).append(link.other)
        beside.setdefault(link.other, []).append(link.one)
    best: set[str] = set()
    left = set(beside)
    while left:
        group: set[str] = set()
        waiting = [min(left)]
        while waiting:
            here = waiting.pop()
            if here not in group:
                group.add(here)
                waiting += beside[here]
        left -= group
        best = max(best, group, key=len)
    return Topology((), tuple(link for link in links if link.one in best))
