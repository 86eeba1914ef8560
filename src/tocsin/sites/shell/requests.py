"""The rules that somebody at a site has asked for: spread over the sites, and anew when the directory changes.

Which sites there are, and which sources they have, is what they say of themselves. A rule waits until somewhere one of
its types is made: without any source there would be no time for it to go by. One with a policy waits for all of them,
since how it is cut cannot be changed while it runs.

What is decided here depends on rates and clocks. So a decision is written down like all that comes (`decisions` gives
it, `deploy` and `change` do it): a site that goes through it once more does the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.event_records import plain, valued
from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.sites.births import ANY
from tocsin.sites.deployment import Deployment, Placed, carry_out, deployed, heard_types, in_ways
from tocsin.sites.parts import TOLD, Part, Role, part_of, part_record
from tocsin.sites.placement import changes
from tocsin.sites.placement.changes import Create, Destroy, Migrate, Replicate, observed
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import NEAR_SOURCES, NO_HINTS, Hints, hints_of, hints_record
from tocsin.sites.placement.rates import heard
from tocsin.sites.placement.replanning import Replanner
from tocsin.sites.placement.topologies import Topology, measured, topology_of, topology_record
from tocsin.sites.prefilters import Limits, prefiltered, staying_said
from tocsin.sites.shell.topics import is_guest
from tocsin.sites.site import Site

Sources: TypeAlias = dict[str, dict[str, list[str] | None]]
"""The sources at each site, each with the types that it makes, or None where anything may come from it."""
COPY, MORE = "copy", "more"
"""What changes begin with after which a part runs elsewhere besides, or takes more there."""
HEARING: Final = 1_000_000
"""So long is waited for all the types of rules that were just asked for: sites say five times a second what they have.

A rule that begins with some of its types is another than with all of them: who is told of both is told twice.
"""
LOOK: Final = 30_000_000
"""How often it is looked whether parts had better be elsewhere, in microseconds."""


@dataclass
class Request:
    """Rules that are asked for together, and how they are spread."""

    program: Program
    policy: str | None = None
    granularity: int | None = None
    limits: Limits = field(default_factory=dict)
    """By type: so many events of a source in so many microseconds, and no more."""
    hints: Hints = NO_HINTS
    topology: Topology | None = None
    """What is known of the links; None: what is measured."""
    deployment: Deployment | None = None
    waiting: list[str] = field(default_factory=list)
    """Rules for which there are no sources yet."""
    remarks: tuple[str, ...] = ()
    """What was said about what stays where it is born."""
    replanner: Replanner | None = None
    asked: int | None = None
    """When it was first looked for sources."""
    looked: int | None = None
    copied: int | None = None

    def is_like(self, other: Request) -> bool:
        """Whether the same is asked for."""

        def asked(one: Request) -> tuple[object, ...]:
            return one.program, one.policy, one.granularity, one.limits, one.hints, one.topology

        return asked(self) == asked(other)

    @property
    def told(self) -> dict[str, str]:
        """The streams that are told here, by rule."""
        return {} if self.deployment is None else dict(self.deployment.told)

    @property
    def wants(self) -> list[str]:
        """The filters that it takes."""
        placed = () if self.deployment is None else self.deployment.placed
        return sorted(each.part.key for each in placed if each.part.role is Role.FILTER)


class Requests:
    """What is asked for at a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.all: dict[str, Request] = {}

    # -- what is written down ----------------------------------------------------------------------------------------

    def add(self, name: str, request: Request) -> None:
        """Rules are asked for, under a name. Asked for once more, they stay as they are."""
        known = self.all.get(name)
        if known is not None and known.is_like(request):
            return
        if known is not None:
            self.withdraw(name)
        self.all[name] = request
        self._say()

    def withdraw(self, name: str) -> None:
        """Rules are asked for no more."""
        request = self.all.pop(name, None)
        if request is not None:
            for stream in set(request.told.values()) - self._told():
                self._site.unwatch(stream)
            copies = () if request.deployment is None else request.deployment.replicas
            changes.carry_out(self._site, [Destroy(part.key, site) for part, site in copies])
            self._say()

    def deploy(self, name: str, deployment: Deployment) -> None:
        """Rules are spread so from now on."""
        request = self.all.get(name)
        if request is None:
            return
        known = self._told()
        request.deployment, request.replanner = deployment, None
        fresh = {rule: stream for rule, stream in deployment.told.items() if stream not in known}
        carry_out(self._site, replace(deployment, told=fresh))
        self._say()

    def change(self, moves: list[list[str]]) -> None:
        """Parts are to go elsewhere, to run there besides, or to take more there."""
        for move in moves:
            match move:
                case ["copy", key, site, to]:
                    changes.carry_out(self._site, [Replicate(key, site, to)])
                case ["more", key, site]:
                    changes.carry_out(self._site, self._more(key, site))
                case [key, site, to]:
                    changes.carry_out(self._site, [Migrate(key, site, to)])

    def _more(self, key: str, site: str) -> list[changes.Change]:
        """A part takes all its streams, at a site where it runs already."""
        found: list[changes.Change] = []
        for request in self.all.values():
            some = () if request.deployment is None else changes.changes(None, request.deployment)
            found += [replace(each, site=site) for each in some if isinstance(each, Create) and each.part.key == key]
        return found[:1]

    def _told(self) -> set[str]:
        return {stream for each in self.all.values() for stream in each.told.values()}

    def _say(self) -> None:
        """Lets the others know what is heard here, and by which filters."""
        hears = sorted({kind for each in self.all.values() for kind in heard_types(each.program)})
        wants = sorted({stream for each in self.all.values() for stream in each.wants})
        self._site.neighbours.says({"hears": hears, "wants": wants})

    # -- decisions ---------------------------------------------------------------------------------------------------

    def decisions(self, now: int) -> Iterator[list[Any]]:
        """What is to be done now that the directory, or rates, are as they are."""
        if not self.all:
            return
        said = self._said()
        directory: Sources = {
            site: {source: one["types"] for source, one in told["sources"].items()} for site, told in said.items()
        }
        for name, request in self.all.items():
            if self._may_hear_more(request, directory, now):
                continue
            deployment = self._planned(request, directory, said)
            if deployment is not None and request.hints.ways:
                deployment = in_ways(deployment, request.hints.ways)
            if deployment is not None and deployment != request.deployment:
                yield ["deploy", name, deployment_record(deployment)]
            elif request.policy == NEAR_SOURCES and request.deployment is not None:
                moves = self._better(request, directory, said, now)
                if moves:
                    yield ["change", moves]
            copies = [] if request.deployment is None else self._copies(request, request.deployment, said, now)
            if copies:
                yield ["change", copies]

    def _may_hear_more(self, request: Request, directory: Sources, now: int) -> bool:
        """Whether rules were asked for so lately that not all may have been heard who have sources for them."""
        if request.deployment is not None or request.policy is not None:
            return False
        request.asked = now if request.asked is None else request.asked
        made = {kind for sources in directory.values() for types in sources.values() for kind in types or [ANY]}
        missing = set() if ANY in made else heard_types(request.program) - made - {ANY}
        return bool(missing and made) and now - request.asked < HEARING

    def _said(self) -> dict[str, Mapping[str, Any]]:
        """What every site says of itself."""
        said: dict[str, Mapping[str, Any]] = {name: peer.said for name, peer in self._site.neighbours.peers.items()}
        said[self._site.name] = {"sources": self._site.birthplace.described()}
        return {name: told for name, told in sorted(said.items()) if not is_guest(name)}

    def _planned(
        self, request: Request, directory: Sources, said: Mapping[str, Mapping[str, Any]]
    ) -> Deployment | None:
        """How rules are to be spread; None while it is waited for sources."""
        if request.policy is None:
            sink = self._site.name if request.deployment is None else request.deployment.sink
            home = sink if not is_guest(sink) else self._home(request, directory)
            if not home:
                request.waiting = sorted(rule.name for rule in request.program.rules if not rule.hidden)
                return None
            whole = deployed(
                request.program, directory, sink, site_of=lambda part: home, granularity=request.granularity
            )
            return self._hearing(request, _as_running(self._prefiltered(request, whole), request.deployment))
        if request.deployment is not None:
            return widened(observed(request.deployment, said), directory)
        made = {kind for sources in directory.values() for types in sources.values() for kind in types or [ANY]}
        request.waiting = [] if ANY in made else sorted(heard_types(request.program) - made - {ANY})
        if request.waiting or not made:
            return None
        told = self._with_rates(said)
        options: dict[str, Any] = {"rates": heard(told), "topology": request.topology or measured(told)}
        options |= {"granularity": request.granularity, "hints": request.hints}
        try:
            planned = plan(request.program, directory, self._site.name, policy=request.policy, **options)
        except UsageError as error:  # a site that a hint names is not there: it may come
            if str(error) not in request.remarks:
                self._site.remark(str(error))
                request.remarks = (*request.remarks, str(error))
            return None
        # What somebody else has asked for runs already: it is used once more, where it is.
        return observed(self._prefiltered(request, planned.deployment), said)

    def _prefiltered(self, request: Request, deployment: Deployment) -> Deployment:
        """What stays where it is born, as the sites say themselves, and limits."""
        said = {name: peer.said for name, peer in self._site.neighbours.peers.items()}
        staying = staying_said(said | {self._site.name: {"staying": self._site.birthplace.stays}})
        if not staying and not request.limits:
            return deployment
        made = prefiltered(deployment, staying, request.limits)
        for remark in made.remarks:
            if remark not in request.remarks:
                self._site.remark(remark)
        request.remarks = made.remarks
        return made.deployment

    def _hearing(self, request: Request, whole: Deployment) -> Deployment | None:
        """Of a deployment those rules for which there are sources."""
        hearing = {each.part.key for each in whole.placed if each.part.role is not Role.RULE or each.part.inputs}
        told = {rule: stream for rule, stream in whole.told.items() if stream[:-1] in hearing}
        request.waiting = sorted(set(whole.told) - set(told))
        placed = tuple(each for each in whole.placed if each.part.key in hearing)
        return replace(whole, placed=placed, told=told) if told else None

    def _home(self, request: Request, directory: Sources) -> str:
        """Where the rules run of somebody who is at no site: where most of their sources are."""
        if request.deployment is not None:
            return next(each.site for each in request.deployment.placed if each.part.role is Role.RULE)
        heard_here = heard_types(request.program)
        made = {
            site: sum(types is None or not heard_here.isdisjoint(types) for types in sources.values())
            for site, sources in directory.items()
        }
        return max(sorted(made), key=lambda site: made[site], default="") if any(made.values()) else ""

    def _better(
        self, request: Request, directory: Sources, said: Mapping[str, Mapping[str, Any]], now: int
    ) -> list[list[str]]:
        """The moves that are worth it by what was measured."""
        if request.looked is not None and now - request.looked < LOOK:
            return []
        request.looked = now
        assert request.deployment is not None
        told = self._with_rates(said)
        if request.replanner is None:
            request.replanner = Replanner(
                request.program,
                directory,
                request.deployment,
                request.hints,
                request.topology or measured(told),
            )
        look = request.replanner.look(now / 1e6, told)
        return [[each.key, each.site, each.to] for each in look.changes if isinstance(each, Migrate)]

    def _copies(
        self, request: Request, deployment: Deployment, said: Mapping[str, Mapping[str, Any]], now: int
    ) -> list[list[str]]:
        """Parts that are to run elsewhere besides and do not yet, or do not take all that they are to take."""
        if not deployment.replicas or (request.copied is not None and now - request.copied < LOOK):
            return []
        told = self._with_rates(said)
        parts = {each.part.key: each for each in deployment.placed}
        found: list[list[str]] = []
        for part, site in deployment.replicas:
            runs = {name: one["parts"][part.key] for name, one in told.items() if part.key in one.get("parts", {})}
            if part.key not in parts or parts[part.key].site not in runs or site not in told:
                continue
            if site not in runs:
                found.append([COPY, part.key, parts[part.key].site, site])
            elif not set(parts[part.key].part.inputs) <= set(runs[site]["inputs"]):
                found.append([MORE, part.key, site])
        if found:
            request.copied = now
        return found

    def _with_rates(self, said: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        """The same with all that is to be said of this site."""
        here = self._site.name
        return {**said} if is_guest(here) else {**said, here: self._site.described()}

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> list[Any]:
        """All of it as plain values."""
        return [
            [
                *request_record(name, one)[1:],
                list(one.remarks),
                None if one.deployment is None else deployment_record(one.deployment),
            ]
            for name, one in self.all.items()
        ]

    def restore(self, state: list[Any]) -> None:
        """What `state` gave."""
        for *record, remarks, deployment in state:
            name, request = request_of(["request", *record])
            request.remarks = tuple(remarks)
            request.deployment = None if deployment is None else deployment_of(deployment)
            self.all[name] = request
        if self.all:
            self._say()


def widened(deployment: Deployment, directory: Sources) -> Deployment:
    """The same parts, which take what is born at sites that were not known before, too."""
    filters = {each.part.key: each.part for each in deployment.placed if each.part.role is Role.FILTER}
    placed: dict[str, Placed] = {}

    def birthplaces(kind: str) -> list[str]:
        return sorted(
            site
            for site, sources in directory.items()
            if any(types is None or kind in (ANY, *types) for types in sources.values())
        )

    def more(part: Part) -> Part:
        inputs = list(part.inputs)
        for stream in part.inputs:
            if (one := filters.get(stream)) is not None:
                for site in birthplaces(one.type):
                    other = replace(one, birthplace=site, key="")
                    placed.setdefault(other.key, Placed(other, site))
                    inputs.append(other.key)
        return part.taking(inputs)

    for part, site in deployment.placed:
        placed[part.key] = Placed(part if part.role is Role.FILTER else more(part), site)
    return replace(deployment, placed=tuple(placed.values()))


def request_record(name: str, request: Request) -> list[Any]:
    """A request as it is written down."""
    limits = {kind: list(limit) for kind, limit in request.limits.items()}
    links = None if request.topology is None else topology_record(request.topology)
    asked = [plain(to_record(request.program)), request.policy, request.granularity, limits]
    return ["request", name, *asked, hints_record(request.hints), links]


def request_of(record: list[Any]) -> tuple[str, Request]:
    """What `request_record` wrote."""
    _, name, program, policy, granularity, limits, hints, links = record
    topology = None if links is None else topology_of(links)
    found = Request(
        from_record(valued(program), Program), policy, granularity, _limits(limits), hints_of(hints), topology
    )
    return name, found


def _limits(record: Mapping[str, Any]) -> Limits:
    return {kind: (most, period) for kind, (most, period) in record.items()}


def _as_running(whole: Deployment, running: Deployment | None) -> Deployment:
    """A deployment with rules that run already under the names that they have, where they only take more streams now.

    A type whose first source comes late is one more stream for them: another part beside them would tell things twice,
    and they themselves would never hear of it.
    """
    if running is None:
        return whole
    known = {each.part.program: each.part for each in running.placed if each.part.role is Role.RULE}
    names: dict[str, str] = {}
    placed: list[Placed] = []
    for part, site in whole.placed:
        there = known.get(part.program) if part.role is Role.RULE else None
        if there is not None and set(there.inputs) <= set(part.inputs):
            names[part.key + TOLD] = there.key + TOLD
            placed.append(Placed(replace(part, key=there.key), site))
        else:
            placed.append(Placed(part, site))
    told = {rule: names.get(stream, stream) for rule, stream in whole.told.items()}
    return replace(whole, placed=tuple(placed), told=told)


def deployment_record(deployment: Deployment) -> dict[str, Any]:
    """A deployment as plain values."""
    return {
        "sink": deployment.sink,
        "placed": [[part_record(part), site] for part, site in deployment.placed],
        "told": dict(deployment.told),
        "way": deployment.way,
        "ways": dict(deployment.ways),
        "replicas": [[part_record(part), site] for part, site in deployment.replicas],
    }


def deployment_of(record: Mapping[str, Any]) -> Deployment:
    """What `deployment_record` wrote."""
    placed, replicas = (
        tuple(Placed(part_of(part), site) for part, site in record[each]) for each in ("placed", "replicas")
    )
    return Deployment(record["sink"], placed, dict(record["told"]), record["way"], replicas, dict(record["ways"]))


def hearers(directory: Mapping[str, Mapping[str, Any]], site: str, types: list[str] | None) -> list[str]:
    """Who asks for events of types (None: any) that are born at a site, and does not get them yet.

    `directory`: what the sites say of themselves.
    """
    filters = set(directory.get(site, {}).get("filters", ()))
    found = []
    for name, said in directory.items():
        heard_there = set(said.get("hears", ()))
        if types is not None and ANY not in heard_there:
            heard_there &= set(types)
        wants = [stream for stream in said.get("wants", ()) if stream.split("/", 1)[0] == site]
        wanted_types = {stream.split("/")[1] for stream in wants}
        if not heard_there <= wanted_types or not filters.issuperset(wants):
            found.append(name)
    return sorted(found)
