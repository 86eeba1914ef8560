"""From what runs to what was planned, step by step: what a detector may do (001 section 6.1), and the messages of it.

Create      a site begins to host a part, from now on
Delegate    ... which leaves the detection of something to another part
Reuse       a part that runs is taken once more; what happened before does not count for who comes later
Migrate     a part goes to another site with what it remembers, while events flow
Replicate   ... and stays where it is as well
Destroy     a part is not needed any more: it ends when nobody takes it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.site import Site


@dataclass(frozen=True)
class Create:
    """A site is to host a part. `sources`: by stream, where it comes from, how it is asked, what its filter is."""

    part: Part
    site: str
    sources: Mapping[str, tuple[str, str, Part | None]]


@dataclass(frozen=True)
class Delegate:
    """A part takes what another detects for it."""

    key: str
    to: str


@dataclass(frozen=True)
class Reuse:
    """A part that runs is taken once more."""

    key: str
    site: str


@dataclass(frozen=True)
class Migrate:
    """A part goes to another site."""

    key: str
    site: str
    to: str


@dataclass(frozen=True)
class Replicate:
    """A part is to run at another site as well."""

    key: str
    site: str
    to: str


@dataclass(frozen=True)
class Destroy:
    """A part is not needed any more."""

    key: str
    site: str


@dataclass(frozen=True)
class Tell:
    """What a rule detects is told at the sink."""

    stream: str
    site: str
    way: str


Change: TypeAlias = Create | Delegate | Reuse | Migrate | Replicate | Destroy | Tell


def changes(running: Deployment | None, planned: Deployment, *, is_all: bool = False) -> tuple[Change, ...]:
    """What is to be done, in this order. `is_all`: what was not planned is destroyed; else others may need it."""
    there = _sites(running)
    found: list[Change] = []
    for part, site in planned.placed:
        if part.role is Role.FILTER:
            continue
        now = there.get(part.key)
        if now is None:
            found.append(Create(part, site, dict(_sources(part, planned, there))))
            found += [Delegate(part.key, stream) for stream in part.inputs if _is_join(stream, planned)]
        else:
            found.append(Reuse(part.key, site) if site in now else Migrate(part.key, now[0], site))
    found += _replicas(running, planned, there)
    was_told = set() if running is None or running.sink != planned.sink else set(running.told.values())
    for stream in planned.told.values():
        if stream not in was_told:
            site = planned.site_of(stream)
            now = there.get(stream.removesuffix(TOLD), [site])
            found.append(Tell(stream, site if site in now else now[0], planned.way_of(stream)))
    if is_all and running is not None:
        kept = {part.key for part, _ in planned.placed}
        found += [
            Destroy(part.key, site)
            for part, site in reversed((*running.placed, *running.replicas))
            if part.key not in kept and part.role is not Role.FILTER
        ]
    return tuple(found)


def _sites(running: Deployment | None) -> dict[str, list[str]]:
    """Where parts run, by key: where they were placed, and where their replicas are."""
    found: dict[str, list[str]] = {}
    for part, site in () if running is None else (*running.placed, *running.replicas):
        found.setdefault(part.key, []).append(site)
    return found


def _sources(
    part: Part, planned: Deployment, there: Mapping[str, list[str]]
) -> Iterator[tuple[str, tuple[str, str, Part | None]]]:
    """Where a part's streams come from: what is about to move from where it is, which says where it has gone."""
    by_key = {each.part.key: each for each in planned.placed}
    for stream in part.inputs:
        source = by_key[stream]
        filtering = source.part if source.part.role is Role.FILTER else None
        now = there.get(stream, [source.site])
        yield stream, (source.site if source.site in now else now[0], planned.way_of(stream), filtering)


def _is_join(stream: str, planned: Deployment) -> bool:
    return any(each.part.key == stream and each.part.is_cut_off for each in planned.placed)


def _replicas(running: Deployment | None, planned: Deployment, there: Mapping[str, list[str]]) -> Iterator[Change]:
    were = () if running is None else running.replicas
    for part, site in planned.replicas:
        if not any(one.part.key == part.key and one.site == site for one in were):
            now = there.get(part.key)
            if now is not None and site not in now:  # one that does not run yet has nothing to share
                yield Replicate(part.key, now[0], site)


def carry_out(site: Site, some: Iterable[Change]) -> None:
    """Asks sites to do what is to be done; this one is the sink."""
    for change in some:
        match change:
            case Create(part=part, site=where, sources=sources):
                asked = {
                    stream: [origin, way, None if filtering is None else part_record(filtering)]
                    for stream, (origin, way, filtering) in sources.items()
                }
                site.tell(where, ["host", part_record(part), asked])
            case Migrate(key=key, site=where, to=to):
                site.tell(where, ["move", key, to, False])
            case Replicate(key=key, site=where, to=to):
                site.tell(where, ["move", key, to, True])
            case Destroy(key=key, site=where):
                site.tell(where, ["release", key])  # it ends when nobody takes it any more
            case Tell(stream=stream, site=where, way=way):
                site.watch(stream, where, way)


def observed(deployment: Deployment, said: Mapping[str, Mapping[str, Any]]) -> Deployment:
    """A deployment as it is: parts where sites say that they run, whatever was asked of them."""
    hosts: dict[str, list[str]] = {}
    for site, told in sorted(said.items()):
        for key in told.get("parts", {}):
            hosts.setdefault(key, []).append(site)

    def found(one: Placed) -> Placed:
        sites = hosts.get(one.part.key, [one.site])
        return one if one.site in sites else Placed(one.part, sites[0])

    return replace(deployment, placed=tuple(found(one) for one in deployment.placed))


def change_record(change: Change) -> dict[str, Any]:
    """A change as plain JSON values."""
    match change:
        case Create(part=part, site=site):
            about: dict[str, Any] = {"part": part.key, "site": site}
        case Delegate(key=key, to=to):
            about = {"part": key, "to": to}
        case Migrate(key=key, site=site, to=to) | Replicate(key=key, site=site, to=to):
            about = {"part": key, "site": site, "to": to}
        case Reuse(key=key, site=site) | Destroy(key=key, site=site):
            about = {"part": key, "site": site}
        case Tell(stream=stream, site=site):
            about = {"stream": stream, "site": site}
    return {"change": type(change).__name__.lower()} | about


def change_text(change: Change) -> str:
    """A change as people read it."""
    match change:
        case Create(part=part, site=site):
            return f"create {part.key} at {site}"
        case Delegate(key=key, to=to):
            return f"delegate from {key} to {to}"
        case Reuse(key=key, site=site):
            return f"reuse {key} at {site}"
        case Migrate(key=key, site=site, to=to):
            return f"migrate {key} from {site} to {to}"
        case Replicate(key=key, site=site, to=to):
            return f"replicate {key} from {site} to {to}"
        case Destroy(key=key, site=site):
            return f"destroy {key} at {site}"
        case Tell(stream=stream, site=site):
            return f"tell {stream} from {site}"
