"""The file of a deployment that is to be tried, read: what is wrong in it is shown where it stands.

sink: phone                                  where detections are told
seconds: 60                                  how long it is tried
rules: [rules.yaml]                          files, or rules as in a rules file
links:                                       delays and jitter in ms, bandwidth in bytes a second
  - {from: gate, to: hall, delay: 1, jitter: 0.5, bandwidth: 1000000, loss: 0.001, cost: 1}
sites:
  lab: {clock: 3, drift: 20}                 ms that its clock is ahead, and parts in a million that it goes faster
sources:                                     by site
  gate:
    badge: {rate: 8, size: 180, data: {room: 10, level: [low, high], degrees: {from: 0, to: 40}}}
  lab: {file: lab.jsonl}                     recorded events; their times count from the first one on
policies: [central, near-sources]            all of them where nothing is said
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from tocsin.algebra.rules import Program, Rule
from tocsin.errors import UsageError, choices, nearest
from tocsin.events import Event
from tocsin.formats import read_events
from tocsin.rules.documents import Reader
from tocsin.rules.loader import load_files, read_text
from tocsin.rules.programs import only_rules, rules_program
from tocsin.simulate.deployment.description import Description, Made
from tocsin.simulate.networks import Line
from tocsin.sites.births import ANY
from tocsin.sites.deployment import heard_types
from tocsin.sites.placement.policies import POLICIES
from tocsin.sites.placement.topologies import DELAY, Link, Topology

KEYS: Final = ("sink", "rules", "sources", "links", "sites", "seconds", "policies")
REQUIRED: Final = ("sink", "rules", "sources")
LINK: Final = ("from", "to", "delay", "jitter", "bandwidth", "loss", "cost")
SIZE: Final = 160
"""Bytes of an event of which nothing is said."""
MOST_SECONDS: Final = 86_400


def read_description(path: Path) -> Description:
    """What a file says."""
    return described(read_text(path), path)


def described(text: str, path: Path) -> Description:
    """What the text of a file says; files that it names are beside it."""
    return _Reading(text, str(path)).description()


class _Reading(Reader):
    """The file being read. Rules stand in it as in a rules file."""

    def description(self) -> Description:
        root = self.compose("sink, rules and sources")
        asked = self.fields(root, KEYS)
        for key in REQUIRED:
            if key not in asked:
                raise self.fault(root, f"there is no '{key}'", choices(REQUIRED, "and"))
        links = list(self._links(asked.get("links")))
        sources = self.fields(asked["sources"])
        found = {site: self._sources(node) for site, node in sources.items()}
        made = Description(
            Path(self.file).name,
            self._word(asked["sink"], "a site"),
            self._number(asked, "seconds", 60.0, 1, MOST_SECONDS),
            self._rules(asked["rules"]),
            Topology((), tuple(link for link, _ in links)),
            {hop: line for link, line in links for hop in ((link.one, link.other), (link.other, link.one))},
            dict(self._clocks(asked.get("sites"))),
            {site: some for site, (some, _) in found.items() if some},
            {site: recorded for site, (_, recorded) in found.items() if recorded},
            self._policies(asked.get("policies")),
        )
        self._check_ways(made, {made.sink: asked["sink"], **sources, **self._fields_of(asked.get("sites"))})
        self._check_types(made, asked["rules"])
        return made

    # -- the network -------------------------------------------------------------------------------------------------

    def _links(self, node: yaml.Node | None) -> Iterator[tuple[Link, Line]]:
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            raise self.fault(node, "'links' is a list", "- {from: gate, to: hall, delay: 1}")
        for each in node.value:
            about = self.fields(each, LINK)
            for key in ("from", "to"):
                if key not in about:
                    raise self.fault(each, f"this link has no '{key}'", f"{key}: a site")
            one, other = (self._word(about[key], "a site") for key in ("from", "to"))
            if one == other:
                raise self.fault(about["to"], f"this link leads from '{one}' to itself", "another site")
            delay = 1000 * self._number(about, "delay", DELAY / 1000, 0, 1e6)
            jitter = 1000 * self._number(about, "jitter", 0.0, 0, 1e6)
            bandwidth = self._number(about, "bandwidth", 0.0, 1, 1e12) or None
            loss, cost = self._number(about, "loss", 0.0, 0, 0.9), self._number(about, "cost", 1.0, 0, 1e9)
            yield Link(one, other, cost, delay, bandwidth), Line(round(delay), round(jitter), bandwidth, loss)

    def _clocks(self, node: yaml.Node | None) -> Iterator[tuple[str, tuple[int, float]]]:
        for site, each in self._fields_of(node).items():
            about = self.fields(each, ("clock", "drift"))
            ahead = round(1000 * self._number(about, "clock", 0.0, -1e6, 1e6))
            yield site, (ahead, self._number(about, "drift", 0.0, -1e4, 1e4) / 1e6)

    def _check_ways(self, made: Description, nodes: dict[str, yaml.Node]) -> None:
        """Every site has to be reached: nothing would be found out of one that is not."""
        if not made.topology.links:
            return
        linked = [site for link in made.topology.links for site in (link.one, link.other)]
        for site, node in nodes.items():
            if site not in linked:
                raise self.fault(
                    node, f"no link leads to '{site}'", choices(sorted(set(linked))), nearest(site, linked)
                )
        for site in made.sites:
            if any(hop not in made.lines for hop in made.topology.route(made.sink, site)):
                raise self.fault(nodes.get(site, nodes[made.sink]), f"no link leads from '{made.sink}' to '{site}'")

    # -- sources -----------------------------------------------------------------------------------------------------

    def _sources(self, node: yaml.Node) -> tuple[list[Made], list[Event]]:
        made: list[Made] = []
        recorded: list[Event] = []
        for kind, each in self.fields(node).items():
            if kind == "file":
                recorded += self._recorded(each)
                continue
            about = self.fields(each, ("rate", "size", "data"))
            if "rate" not in about:
                raise self.fault(each, f"'{kind}' has no 'rate'", "rate: events a second")
            data = {name: self._spec(spec) for name, spec in self._fields_of(about.get("data")).items()}
            size = round(self._number(about, "size", SIZE, 1, 1e6))
            made.append(Made(kind, self._number(about, "rate", 0.0, 0, 1e5), size, data))
        return made, recorded

    def _recorded(self, node: yaml.Node) -> list[Event]:
        try:
            arrivals = read_events(str(Path(self.file).parent / self.string(node)), on_error="refuse")
            return [each for each in arrivals if isinstance(each, Event)]
        except UsageError as error:
            raise self.fault(node, str(error), "a file of events") from None

    def _spec(self, node: yaml.Node) -> Any:
        spec = yaml.SafeLoader("").construct_object(node, deep=True)
        is_range = isinstance(spec, dict) and spec.keys() == {"from", "to"}
        if is_range and all(isinstance(end, int | float) for end in spec.values()):
            return spec
        if (isinstance(spec, int) and not isinstance(spec, bool) and spec > 0) or (isinstance(spec, list) and spec):
            return spec
        expected = "how many values there are, a list of them, or {from: 0, to: 40}"
        raise self.fault(node, "this says of no values", expected)

    # -- rules and policies ------------------------------------------------------------------------------------------

    def _rules(self, node: yaml.Node) -> Program:
        some = node.value if isinstance(node, yaml.SequenceNode) else [node]
        rules: list[Rule] = []
        for each in some:
            if isinstance(each, yaml.ScalarNode):
                rules += self._rules_of_file(each)
        rules += self.program_of([each for each in some if not isinstance(each, yaml.ScalarNode)]).rules
        if not rules:
            raise self.fault(node, "there is no rule", "files of rules, or rules")
        return rules_program(rules)

    def _rules_of_file(self, node: yaml.Node) -> tuple[Rule, ...]:
        try:
            return load_files([str(Path(self.file).parent / self.string(node))]).rules
        except UsageError as error:
            raise self.fault(node, str(error), "a file of rules") from None

    def _check_types(self, made: Description, node: yaml.Node) -> None:
        """A rule of which nothing is ever born would wait for it all the time."""
        born = sorted({kind for site in made.sites for kind in made.types(site)})
        for rule in made.program.rules:
            wanted = set() if rule.hidden else heard_types(only_rules(made.program, {rule.name}))
            missing = sorted(wanted - {*born, ANY})
            if missing:
                what = f"rule '{rule.name}' hears '{missing[0]}', which no source makes"
                raise self.fault(node, what, choices(born), nearest(missing[0], born))

    def _policies(self, node: yaml.Node | None) -> list[str]:
        if node is None:
            return list(POLICIES)
        some = node.value if isinstance(node, yaml.SequenceNode) else [node]
        names = [self.string(each) for each in some]
        for each, name in zip(some, names, strict=True):
            if name not in POLICIES:
                raise self.fault(each, f"there is no policy '{name}'", choices(POLICIES), nearest(name, POLICIES))
        if not names:
            raise self.fault(node, "there is no policy", choices(POLICIES))
        return names

    # -- values ------------------------------------------------------------------------------------------------------

    def _fields_of(self, node: yaml.Node | None) -> dict[str, yaml.Node]:
        return {} if node is None else self.fields(node)

    def _word(self, node: yaml.Node, expected: str) -> str:
        text = self.string(node)
        if not text:
            raise self.fault(node, "this is empty", expected)
        return text

    def _number(self, found: dict[str, yaml.Node], key: str, otherwise: float, least: float, most: float) -> float:
        if key not in found:
            return otherwise
        text = self.string(found[key])
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise self.fault(found[key], f"'{text}' is not possible here", f"a number from {least:g} to {most:g}")
        return value
