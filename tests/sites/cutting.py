"""Random rules, cut at random and spread over random sites, against the single engine that sees everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.engine.kinds import KINDS
from tests.engine.strategies import Example
from tests.sites.chains import Chain
from tocsin.algebra.rules import Define, Disable, Enable, Order, Program, Rule
from tocsin.events import Arrival, Detection, Event
from tocsin.planner.cuts import Cut, cuts
from tocsin.rules.programs import only_rules, together
from tocsin.runtime.logs import driven
from tocsin.runtime.ordered import Ordered
from tocsin.sites.deployment import Deployment, Directory, deployed
from tocsin.sites.parts import Part, Role

SITES = ("A", "B", "C")
GUARANTEED = Order("guaranteed")


@dataclass(frozen=True)
class Cutout:
    """Rules, a log, where its sources are, and what is cut off the rules."""

    program: Program
    log: tuple[Event, ...]
    directory: Directory
    chosen: dict[str, tuple[Cut, ...]]
    seed: str
    granularity: int | None = None
    kind: str = ""
    sifts: bool = False


@dataclass
class Met:
    """What examples have put to the test."""

    examples: Counter[str] = field(default_factory=Counter)
    cut: Counter[str] = field(default_factory=Counter)
    held_back: Counter[str] = field(default_factory=Counter)
    """Examples in which a join did not pass on all that it took."""
    detecting: Counter[str] = field(default_factory=Counter)
    """... and a rule cut like that detected something."""
    fed: Counter[str] = field(default_factory=Counter)
    """Examples in which composites came from elsewhere."""
    divided: Counter[str] = field(default_factory=Counter)
    """Examples in which several shares of a join had something to pass on."""
    sifted: Counter[str] = field(default_factory=Counter)
    """Examples in which a filter did not let everything through."""

    def table(self) -> str:
        """By kind: how many examples, with cuts, with a join that held something back, with detections then."""
        lines = [
            f"{'kind':12} {'examples':>9} {'cut':>9} {'held back':>9} {'detecting':>9} {'fed':>9} {'divided':>9} {'sifted':>9}"
        ]
        for kind, count in self.examples.items():
            lines.append(
                f"{kind:12} {count:9,} {self.cut[kind]:9,} {self.held_back[kind]:9,} {self.detecting[kind]:9,}"
                f" {self.fed[kind]:9,} {self.divided[kind]:9,} {self.sifted[kind]:9,}"
            )
        return "\n".join(lines)


def numbered(seed: int, kind: str, number: int) -> Cutout:
    """The example of a number."""
    return in_shares(cutout(Random(f"{seed}/{kind}/{number}"), kind, number), Random(f"shares/{seed}/{kind}/{number}"))


def in_shares(one: Cutout, random: Random) -> Cutout:
    """The same with some of the parts that have a key divided by it."""
    counts = (1, 2, 3)
    chosen = {name: tuple(cut.in_shares(random.choice(counts)) for cut in cuts) for name, cuts in one.chosen.items()}
    return replace(one, chosen=chosen)


def shown(one: Cutout) -> str:
    """An example as text."""
    lines = [f"sources: {one.directory}, granularity {one.granularity}"]
    for rule in one.program.rules:
        lines.append(f"{rule.name} [{rule.context}, window {rule.window}]: {rule.pattern}")
        lines += [f"    cut {sorted(cut.types)}: {cut.text}" for cut in one.chosen.get(rule.name, ())]
    lines += [f"  {e.type} {e.id} from {e.source} [{e.start}, {e.end}] {dict(e.data)}" for e in one.log]
    return "\n".join(lines)


def cutout(random: Random, kind: str, number: int) -> Cutout:
    """An example of a kind of the engine's own, cut."""
    made = KINDS[kind]
    operator, column, _ = made.cells[number % len(made.cells)]
    example: Example = made.draw(random, operator, column, "guaranteed")
    while not _has_events(example):
        example = made.draw(random, operator, column, "guaranteed")
    log = in_order_of(example.log, random)
    sources = sorted({event.source for event in log})
    directory = _directory(random, sources, log)
    program = _in_time(example.program)
    is_stamped = example.granularity is not None
    chosen = {rule.name: chosen_cuts(random, program, rule, is_stamped=is_stamped) for rule in program.rules}
    return Cutout(
        program, log, directory, chosen, f"{random.random()}", example.granularity, kind, random.random() < 0.5
    )


def _has_events(example: Example) -> bool:
    return any(isinstance(each, Event) for each in example.log)


def _in_time(program: Program) -> Program:
    """The rules without orders of their own."""
    return Program(
        tuple(
            replace(each, rule=replace(each.rule, order=None)) if isinstance(each, Define) else each
            for each in program.statements
        )
    )


def in_order_of(log: Sequence[Arrival], random: Random) -> tuple[Event, ...]:
    """The events of a log as their sources tell them: each in order, and numbered."""
    events = [each for each in log if isinstance(each, Event)]
    if random.random() < 0.4:
        events = [replace(each, source=random.choice(("s", "t", "u"))) for each in events]
    found: list[Event] = []
    numbers: Counter[str] = Counter()
    for event in sorted(events, key=lambda each: each.end):
        numbers[event.source] += 1
        found.append(replace(event, number=numbers[event.source], arrival=event.end))
    return tuple(found)


def _directory(random: Random, sources: Sequence[str], log: Sequence[Event]) -> Directory:
    """Each source at some site; of some it is told what they make."""
    made: dict[str, dict[str, tuple[str, ...] | None]] = {}
    for source in sources:
        types = tuple(sorted({event.type for event in log if event.source == source}))
        told = types if random.random() < 0.5 else None
        made.setdefault(random.choice(SITES), {})[source] = told
    return made


def chosen_cuts(random: Random, program: Program, rule: Rule, *, is_stamped: bool = False) -> tuple[Cut, ...]:
    """Some of the cuts of a rule that can be used together."""
    found = [cut for cut in cuts(program, rule).cuts if not (cut.makes and is_stamped)]
    random.shuffle(found)
    kept: list[Cut] = []
    for cut in found:
        if len(kept) < 4 and all(_fit(cut, other) for other in kept) and random.random() < 0.8:
            kept.append(cut)
    return tuple(kept)


def _fit(one: Cut, other: Cut) -> bool:
    return not one.types & other.types or one.types < other.types or other.types < one.types


def expected(one: Cutout) -> list[Detection]:
    """What the single engine finds.

    Where rules switch each other, those alone that stay together: whether others of the engine take an instant's events
    together decides when a rule is switched off within it.
    """
    switching = (action for rule in one.program.rules for action in rule.actions)
    if not any(isinstance(action, Enable | Disable) for action in switching):
        return found_by(one.program, one)
    groups = [{rule.name for rule in rules} for rules in together(one.program)]
    return [each for names in groups for each in found_by(only_rules(one.program, names), one) if each.rule in names]


def found_by(program: Program, one: Cutout) -> list[Detection]:
    """What the single engine finds with some rules."""
    sources = {event.source for event in one.log}
    rules = Ordered(program, GUARANTEED, sources=sources, granularity=one.granularity)
    rules.begin(since(one))
    return list(driven(rules, one.log))


def since(one: Cutout) -> int:
    """When the rules of an example are registered: before anything happens."""
    return min(event.end for event in one.log) - 1


def deployment(one: Cutout) -> Deployment:
    """Where the parts of an example run: joins and rules anywhere."""

    def site_of(part: Part) -> str:
        return Random(f"{one.seed}/{part.key}").choice(SITES)

    return deployed(
        one.program,
        one.directory,
        "A",
        chosen=one.chosen,
        site_of=site_of,
        granularity=one.granularity,
        sifts=one.sifts,
    )


def difference(one: Cutout, met: Met | None = None) -> str:
    """How what the parts find differs from what the single engine finds; nothing where it does not."""
    should = expected(one)
    chain = Chain(deployment(one), Random(one.seed))
    chain.begin(one.directory, one.log, since(one))
    found = chain.run(max((event.end for event in one.log), default=0))
    if met is not None:
        _count(one, chain, found, met)
    hidden = {rule.name for rule in one.program.rules if rule.hidden}
    theirs = sorted(map(_told, (each for each in should if each.rule not in hidden)))
    ours = sorted(map(_told, found))
    if theirs == ours:
        return ""
    missing = list((Counter(theirs) - Counter(ours)).elements())
    more = list((Counter(ours) - Counter(theirs)).elements())
    return f"missing {missing[:3]}, too many {more[:3]} (of {len(theirs)})"


def _told(one: Detection) -> str:
    return repr(replace(one, detected_us=0))


def _count(one: Cutout, chain: Chain, found: list[Detection], met: Met) -> None:
    met.examples[one.kind] += 1
    joins = [part for part, _ in chain.deployment.placed if part.key.startswith("join/")]
    met.cut[one.kind] += bool(joins)
    met.fed[one.kind] += any(chain.travelled[part.key] for part, _ in chain.deployment.placed if part.makes)
    held = [part for part in joins if chain.travelled[part.key] < _came(chain, part)]
    met.held_back[one.kind] += bool(held)
    met.detecting[one.kind] += bool(held) and bool(found)
    busy = Counter(part.program for part in joins if part.share is not None and chain.travelled[part.key])
    met.divided[one.kind] += any(count > 1 for count in busy.values())
    met.sifted[one.kind] += any(
        chain.travelled[part.key] < sum(each.type == part.type and _is_at(one, each, part) for each in one.log)
        for part, _ in chain.deployment.placed
        if part.role is Role.FILTER
    )


def _is_at(one: Cutout, event: Event, part: Part) -> bool:
    return event.source in one.directory.get(part.birthplace, {})


def _came(chain: Chain, part: Part) -> int:
    return sum(chain.travelled[stream] for stream in part.inputs)
