"""The rules that somebody at a site has asked for: spread over the sites, and anew when the directory changes.

Which sites there are, and which sources they have, is what they say of themselves. A rule waits until somewhere one of
its types is made: without any source there would be no time for it to go by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.rules import Program
from tocsin.sites.deployment import Deployment, carry_out, deployed, heard_types
from tocsin.sites.parts import Role
from tocsin.sites.prefilters import Limits, prefiltered, staying_said
from tocsin.sites.shell.topics import is_guest
from tocsin.sites.site import Site

Sources: TypeAlias = dict[str, dict[str, list[str] | None]]
"""The sources at each site, each with the types that it makes, or None where anything may come from it."""


@dataclass
class Request:
    """Rules that are asked for together, and how they are spread."""

    program: Program
    policy: str | None = None
    granularity: int | None = None
    is_carried_out: bool = False
    home: str = ""
    """Where its rules run, if it is asked for by somebody who is at no site."""
    told: dict[str, str] = field(default_factory=dict)
    """The streams that are told here, by rule."""
    wants: list[str] = field(default_factory=list)
    """The filters that it takes."""
    waiting: list[str] = field(default_factory=list)
    """Rules for which no source is there yet."""
    limits: Limits = field(default_factory=dict)
    """By type: so many events of a source in so many microseconds, and no more."""
    remarks: tuple[str, ...] = ()
    """What was said about what stays where it is born."""

    def is_like(self, other: Request) -> bool:
        """Whether the same is asked for."""
        ours, theirs = (self.program, self.policy, self.limits), (other.program, other.policy, other.limits)
        return ours == theirs


class Requests:
    """What is asked for at a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.all: dict[str, Request] = {}
        self._known: Sources = {}

    def add(self, name: str, request: Request) -> None:
        """Rules are asked for, under a name. Asked for once more, they stay as they are."""
        known = self.all.get(name)
        if known is not None and known.is_like(request):
            return
        if known is not None:
            self.withdraw(name)
        self.all[name] = request
        self._spread(request)
        self._say()

    def withdraw(self, name: str) -> None:
        """Rules are asked for no more."""
        request = self.all.pop(name, None)
        if request is not None:
            still_told = {stream for each in self.all.values() for stream in each.told.values()}
            for stream in request.told.values():
                if stream not in still_told:
                    self._site.unwatch(stream)
            self._say()

    def look(self) -> None:
        """Spreads the rules anew if the directory has changed."""
        known = self.directory()
        if known != self._known:
            self._known = known
            for request in self.all.values():
                self._spread(request)
            self._say()

    def directory(self) -> Sources:
        """Every source that is known, by site."""
        said: dict[str, Any] = {name: peer.said["sources"] for name, peer in sorted(self._site.peers.items())}
        said[self._site.name] = self._site.described_sources()
        return {
            site: {source: one["types"] for source, one in sources.items()}
            for site, sources in said.items()
            if not is_guest(site)
        }

    def _spread(self, request: Request) -> None:
        directory = self.directory()
        deployment = self._prefiltered(request, self._planned(request, directory))
        hearing = {each.part.key for each in deployment.placed if each.part.role is not Role.RULE or each.part.inputs}
        placed = tuple(each for each in deployment.placed if each.part.key in hearing)
        told = {rule: stream for rule, stream in deployment.told.items() if stream[:-1] in hearing}
        request.waiting = sorted(set(deployment.told) - set(told))
        request.wants = sorted(each.part.key for each in placed if each.part.role is Role.FILTER)
        fresh = {rule: stream for rule, stream in told.items() if stream not in self._watched()}
        request.told |= told
        request.is_carried_out = bool(told)
        carry_out(self._site, Deployment(deployment.sink, placed, fresh, deployment.way))

    def _planned(self, request: Request, directory: Sources) -> Deployment:
        if not request.home:
            request.home = self._home(request.program, directory)
        return deployed(request.program, directory, request.home, granularity=request.granularity)

    def _prefiltered(self, request: Request, deployment: Deployment) -> Deployment:
        """What stays where it is born, as the sites say themselves, and limits."""
        said = {name: peer.said for name, peer in self._site.peers.items()}
        staying = staying_said(said | {self._site.name: {"staying": self._site.stays}})
        if not staying and not request.limits:
            return deployment
        made = prefiltered(deployment, staying, request.limits)
        for remark in made.remarks:
            if remark not in request.remarks:
                self._site.remark(remark)
        request.remarks = made.remarks
        return made.deployment

    def _home(self, program: Program, directory: Sources) -> str:
        """Where rules run: here, or for those who are at no site where most of their sources are."""
        if not is_guest(self._site.name):
            return self._site.name
        heard = heard_types(program)
        made = {
            site: sum(types is None or not heard.isdisjoint(types) for types in sources.values())
            for site, sources in directory.items()
        }
        return max(sorted(made), key=lambda site: made[site], default="") if any(made.values()) else ""

    def _watched(self) -> set[str]:
        return {*self._site.watched, *(stream for each in self.all.values() for stream in each.told.values())}

    def _say(self) -> None:
        """Lets the others know what is heard here, and by which filters."""
        hears = sorted({kind for each in self.all.values() for kind in heard_types(each.program)})
        wants = sorted({stream for each in self.all.values() for stream in each.wants})
        self._site.says({"hears": hears, "wants": wants})

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> list[Any]:
        """All of it as plain values."""
        return [
            [*request_record(name, one)[1:], one.home, one.told, one.wants, one.waiting, list(one.remarks)]
            for name, one in self.all.items()
        ]

    def restore(self, state: list[Any]) -> None:
        """What `state` gave."""
        for name, program, policy, granularity, limits, home, told, wants, waiting, remarks in state:
            self.all[name] = Request(
                from_record(program, Program),
                policy,
                granularity,
                bool(told),
                home,
                told,
                wants,
                waiting,
                _limits(limits),
                tuple(remarks),
            )
        self._known = self.directory()
        self._say()


def request_record(name: str, request: Request) -> list[Any]:
    """A request as it is written down."""
    limits = {kind: list(limit) for kind, limit in request.limits.items()}
    return ["request", name, to_record(request.program), request.policy, request.granularity, limits]


def request_of(record: list[Any]) -> tuple[str, Request]:
    """What `request_record` wrote."""
    _, name, program, policy, granularity, *more = record
    return name, Request(from_record(program, Program), policy, granularity, limits=_limits(more[0] if more else {}))


def _limits(record: Mapping[str, Any]) -> Limits:
    return {kind: (most, period) for kind, (most, period) in record.items()}


def hearers(directory: Mapping[str, Mapping[str, Any]], site: str, types: list[str] | None) -> list[str]:
    """Who asks for events of types (None: any) that are born at a site, and does not get them yet.

    `directory`: what the sites say of themselves.
    """
    filters = set(directory.get(site, {}).get("filters", ()))
    found = []
    for name, said in directory.items():
        heard = set(said.get("hears", ()))
        if types is not None and "*" not in heard:
            heard &= set(types)
        wants = [stream for stream in said.get("wants", ()) if stream.split("/", 1)[0] == site]
        wanted_types = {stream.split("/")[1] for stream in wants}
        if not heard <= wanted_types or not filters.issuperset(wants):
            found.append(name)
    return sorted(found)
