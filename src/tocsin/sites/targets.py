"""Which parts a person means, where they are to go, and whether they have got there: `move` and `drain`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tocsin.errors import UsageError
from tocsin.sites.overview import Said


class Target(NamedTuple):
    """A part that is to move."""

    part: str
    rules: tuple[str, ...]
    site: str
    to: str


def movable(said: Said, name: str, to: str) -> list[Target]:
    """The parts that a name means, a rule's or a part's own, and that are not where they are to be."""
    _known(said, to)
    meant: list[Target] = []
    for site, one in sorted(said.items()):
        for key, part in sorted(one.get("parts", {}).items()):
            if name == key or key.startswith(f"{name}/") or name in part["rules"] or key.endswith(f"/{name}"):
                meant.append(Target(key, tuple(part["rules"]), site, to))
    if not meant:
        if any(name in one.get("filters", {}) for one in said.values()):
            raise UsageError(f"'{name}' is a filter: it runs where its events are born, and cannot move")
        rules = sorted({rule for one in said.values() for part in one["parts"].values() for rule in part["rules"]})
        raise UsageError(f"no part or rule '{name}' runs at any site; rules that run: {', '.join(rules) or 'none'}")
    elsewhere = {target.part for target in meant if target.site == to}
    return [target for target in meant if target.part not in elsewhere]


def drained(said: Said, site: str, silent: Mapping[str, Any] | None = None) -> list[Target]:
    """Where the parts of a site are to go: each to where most of what it hears is born, the least loaded site first."""
    _known(said, site)
    others = [name for name in sorted(said) if name != site and name not in (silent or {})]
    parts = said[site].get("parts", {})
    if not others and parts:
        raise UsageError(f"there is no other site than '{site}' that its parts could move to")
    loads = {name: len(said[name].get("parts", ())) for name in others}
    found: list[Target] = []
    for key, part in sorted(parts.items()):
        near = {name: sum(stream.startswith(f"{name}/") for stream in part["inputs"]) for name in others}
        to = min(others, key=lambda name: (-near[name], loads[name], name))
        loads[to] += 1
        found.append(Target(key, tuple(part["rules"]), site, to))
    return found


def _known(said: Said, site: str) -> None:
    if site not in said:
        raise UsageError(f"there is no site '{site}'; sites: {', '.join(sorted(said)) or 'none'}")


def outcome(said: Said, target: Target) -> str | None:
    """What has become of a move: "moved", "gone" where nobody has the part any more; None while it is on its way."""
    at = {site for site, one in said.items() if target.part in one.get("parts", {})}
    if at == {target.to}:
        return "moved"
    return "gone" if not at else None
