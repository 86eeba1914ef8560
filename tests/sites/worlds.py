"""Random rules over real sites in a simulated world where everything goes wrong, against the engine that sees it all.

A world follows from its seed: rules of all kinds, how they are cut and where parts run, how each stream is asked how far
it has got; messages that are late, lost, doubled and out of order; clocks that differ; machines that die while they
write, sites that are cut off, parts that move or are copied while events flow.

    python -m tests.sites.worlds SEED          lives one again and tells its story
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from tests.engine.kinds import KINDS
from tests.sites.cutting import SITES, Cutout, cutout, expected, in_shares, shown, since
from tocsin.events import Detection
from tocsin.sites.births import FAR
from tocsin.sites.deployment import Deployment, carry_out, deployed
from tocsin.sites.outboxes import WAYS
from tocsin.sites.parts import Part, Role
from tocsin.sites.simulation import Weather, World
from tocsin.sites.site import Told

SECOND = 1_000_000
LONG = 120 * SECOND
"""Within so long everything has to be told once all are well."""


class Difference(AssertionError):
    """What was told is not what the single engine finds."""


@dataclass
class Life:
    """A world, and what came of it."""

    seed: int
    one: Cutout
    deployment: Deployment
    world: TellingWorld
    should: list[Detection] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)
    """What happened in it, and how often."""

    @property
    def story(self) -> list[str]:
        """What happened, and when."""
        return self.world.story

    @property
    def told(self) -> list[Detection]:
        """What was told at the sink."""
        return [each.detection for each in self.world.told(self.deployment.sink)]


class TellingWorld(World):
    """A world that sees to it that what is told once more is what was told."""

    def tell(self, name: str, told: Told) -> None:
        known = self.machines[name].told.get((told.stream, told.number))
        if known is not None and repr(known) != repr(told):  # NaN is no number, but the same value
            raise Difference(f"{name} tells {told} where it told {known}")
        super().tell(name, told)

    def note(self, text: str) -> None:
        """Something happened."""
        self.story.append(f"{self.now / SECOND:9.3f} {text}")


def lived(seed: int) -> Life:
    """The world of a seed, to its end; an error where the answer is not that of the single engine."""
    try:
        life = _begun(seed)
        _live(life)
        _compare(life)
    except Exception as error:
        error.add_note(f"to see it again: python -m tests.sites.worlds {seed}")
        raise
    return life


# -- how it begins ----------------------------------------------------------------------------------------------------


def _begun(seed: int) -> Life:
    random = Random(f"world/{seed}")
    one = cutout(random, random.choice(sorted(KINDS)), random.randrange(100_000))
    if seed % 5 == 2:
        one = in_shares(one, Random(f"shares/{seed}"))
    world = TellingWorld(seed, SITES, _weather(random, seed))
    deployment = _deployment(one, random)
    life = Life(seed, one, deployment, world, expected(one))
    for site, sources in one.directory.items():
        for source, types in sources.items():
            reporter = world.reporter(f"at-{source}", site)
            reporter.source(source, types, reached=since(one) + 1)
    _until(life, lambda: not any(each.unreported for each in world.reporters.values()), "sources")
    return life


def _weather(random: Random, seed: int) -> Weather:
    return Weather(
        delay=(100, random.choice((2_000, 20_000, 300_000))),
        loss=random.choice((0.0, 0.0, 0.02, 0.2)),
        repeats=random.choice((0.0, 0.0, 0.2)),
        in_order=random.random() < 0.2,
        drift=random.choice((0, 1_000, 300_000)),
        writing=random.choice((0, 5_000, 60_000)),
        painting=Random(f"painting/{seed}").choice((0, 20_000, 500_000)),
    )


def _deployment(one: Cutout, random: Random) -> Deployment:
    """Joins and rules anywhere, told anywhere; each stream is asked in a way of its own."""
    places: dict[str, str] = {}

    def site_of(part: Part) -> str:
        return places.setdefault(part.key, random.choice(SITES))

    sink = random.choice(SITES)
    made = deployed(
        one.program,
        one.directory,
        sink,
        chosen=one.chosen,
        site_of=site_of,
        way=random.choice(WAYS),
        granularity=one.granularity,
        sifts=one.sifts,
    )
    streams = sorted({stream for part, _ in made.placed for stream in part.inputs} | set(made.told.values()))
    return replace(made, ways={stream: random.choice(WAYS) for stream in streams if random.random() < 0.5})


# -- what happens -----------------------------------------------------------------------------------------------------


def _live(life: Life) -> None:
    world, random = life.world, Random(f"events/{life.seed}")
    world.do(life.deployment.sink, lambda site: carry_out(site, life.deployment))
    world.note(f"asked for at {life.deployment.sink}")
    _trouble(life, random, world.now, 2 * SECOND)
    _until(life, lambda: _all_run(life), "parts")
    last = _report(life, random)
    _trouble(life, random, world.now, max(last - world.now, SECOND))
    world.run(last)
    _until(life, lambda: _all_told(life), "detections")
    world.run(world.now + 2 * SECOND)
    _until(life, lambda: _nothing_is_held(life), "moves and reports")


def _report(life: Life, random: Random) -> int:
    """Events are reported, each source's in order, some of them twice; then the sources end. When the last has."""
    world = life.world
    pace = random.choice((0, 20_000, 400_000))
    last = world.now
    sources = sorted(source for sources in life.one.directory.values() for source in sources)
    for source in sources:
        reporter, at = world.reporters[f"at-{source}"], world.now
        for event in life.one.log:
            if event.source == source:
                at += random.randint(0, pace)
                for _ in range(2 if random.random() < 0.1 else 1):
                    world.at(at, partial(world.report, reporter, event))
                if random.random() < 0.3:
                    world.at(at, partial(reporter.beat, source, event.end))
        at += random.randint(0, pace)
        world.at(at, partial(_close, life, source))
        last = max(last, at)
    return last


def _close(life: Life, source: str) -> None:
    """A source ends when all do: periodic timers run until then, whatever a rule takes."""
    reporter = life.world.reporters[f"at-{source}"]
    reporter.beat(source, max(event.end for event in life.one.log))
    reporter.close(source)
    life.world.note(f"source {source} has ended")


def _trouble(life: Life, random: Random, begin: int, lasting: int) -> None:
    """Machines that die and come back, sites that are cut off, parts that move, states that are saved."""
    if random.random() < 0.1:
        return
    world = life.world

    def some(most: int) -> Iterable[int]:
        return [begin + random.randint(0, lasting) for _ in range(random.randint(0, most))]

    for at in some(3):
        world.at(at, partial(_crash, life, random.choice(SITES), random.randint(0, 5), random.randint(0, 3 * SECOND)))
    for at in some(2):
        one, other = random.sample([*SITES, *world.reporters], 2)
        world.at(at, partial(_cut, life, frozenset((one, other)), random.randint(0, 3 * SECOND)))
    for at in some(3):
        world.at(at, partial(_move, life, random.random(), random.choice(SITES), stays=random.random() < 0.2))
    for at in some(3):
        world.at(at, partial(world.save, random.choice(SITES)))


def _crash(life: Life, name: str, torn: int, down: int) -> None:
    world = life.world
    if world.machines[name].site is None:
        return
    unsafe = len(world.machines[name].unsafe)
    world.crash(name, torn)
    life.met["crashes"] += 1
    life.met["torn"] += bool(torn and unsafe)
    world.note(f"{name} dies, and loses {min(torn, unsafe)} of {unsafe} entries that were not safe")

    def back() -> None:
        world.note(f"{name} comes back")
        world.restart(name)

    world.at(world.now + down, back)


def _cut(life: Life, pair: frozenset[str], lasting: int) -> None:
    world = life.world
    life.met["cut off"] += 1
    world.cut.add(pair)
    world.note(f"{' and '.join(sorted(pair))} cannot hear each other")

    def heal() -> None:
        world.cut.discard(pair)
        world.note(f"{' and '.join(sorted(pair))} can hear each other again")

    world.at(world.now + lasting, heal)


def _move(life: Life, which: float, to: str, *, stays: bool) -> None:
    """One of the parts that run somewhere goes elsewhere, or runs there besides."""
    world = life.world
    running = [
        (name, key)
        for name, machine in world.machines.items()
        if machine.site is not None
        for key in machine.site.hosts
        if name != to
    ]
    if running:
        name, key = running[int(which * len(running))]
        there = world.machines[to].site
        if stays and there is not None and key in there.hosts:
            return
        life.met["copies" if stays else "moves"] += 1
        world.note(f"{key} {'is copied' if stays else 'moves'} from {name} to {to}")
        if world.weather.painting:  # asked for over the network: nothing is saved behind it
            world.step(name, {"is": "query", "from": "somebody", "number": 1, "what": ["move", key, to, stays]})
        else:
            world.do(name, lambda site: site.moves.move(key, to, stays=stays))


# -- until all is well ------------------------------------------------------------------------------------------------


def _until(life: Life, so: Callable[[], bool], what: str) -> None:
    world, until = life.world, life.world.now + LONG
    while not so():
        if world.now >= until:
            raise Difference(f"after {LONG // SECOND} seconds without trouble it is still waited for {what}")
        world.run(world.now + 100_000)


def _all_run(life: Life) -> bool:
    """Whether every part runs somewhere, and what it detects would be told."""
    sites = [machine.site for machine in life.world.machines.values() if machine.site is not None]
    hosted = {key for site in sites for key in (*site.hosts, *site.birthplace.sieves)}
    sink = life.world.machines[life.deployment.sink].site
    is_watched = sink is not None and set(life.deployment.told.values()) <= set(sink.watched)
    return is_watched and all(part.key in hosted for part, _ in life.deployment.placed)


def _all_told(life: Life) -> bool:
    """Whether the sink knows that nothing more is to come."""
    site = life.world.machines[life.deployment.sink].site
    if site is None:
        return False
    for stream in life.deployment.told.values():
        inbox = site.links.inboxes.get(stream)
        frontier = site.links.outbox(stream).frontier if inbox is None else inbox.frontier
        if frontier is None or frontier < FAR:
            return False
    return True


def _nothing_is_held(life: Life) -> bool:
    """Whether no part is on its way, and no site keeps outputs that somebody may still need."""
    sites = [machine.site for machine in life.world.machines.values()]
    return all(
        site is not None
        and not (site.moves.leaving or site.moves.coming or site.links.held_reports)
        and not any(box.kept or any(map(box.holds, box.takers)) for box in site.links.outboxes.values())
        for site in sites
    )


def _compare(life: Life) -> None:
    hidden = {rule.name for rule in life.one.program.rules if rule.hidden}
    theirs = Counter(map(_shown, (each for each in life.should if each.rule not in hidden)))
    ours = Counter(map(_shown, life.told))
    if theirs != ours:
        missing, more = list((theirs - ours).elements()), list((ours - theirs).elements())
        raise Difference(f"missing {missing[:3]}, too many {more[:3]} (of {theirs.total()})")


def _shown(one: Detection) -> str:
    return repr(replace(one, detected_us=0))


def retold(life: Life) -> str:
    """The story of a world, as text."""
    placed = [f"  {part.role} {part.key} at {site}: {_heard(part)}" for part, site in life.deployment.placed]
    told = [f"  {each}" for each in life.told]
    return "\n".join((shown(life.one), str(life.world.weather), *placed, *life.story, "told:", *told))


def _heard(part: Part) -> str:
    return part.type if part.role is Role.FILTER else ", ".join(part.inputs)


def main(words: list[str]) -> int:
    """Lives one world again."""
    life = _begun(int(words[0]))
    try:
        _live(life)
        _compare(life)
    except Difference as error:
        print(f"{retold(life)}\n\nDIFFERS: {error}")
        return 1
    print(retold(life))
    return 0


def report_of(lives: Iterable[Life]) -> Counter[str]:
    """What happened in some worlds, all together."""
    met: Counter[str] = Counter()
    for life in lives:
        met += life.met
        met["worlds"] += 1
        met["events"] += len(life.one.log)
        met["detections"] += len(life.told)
        met["with detections"] += bool(life.told)
        met["with joins"] += any(part.is_cut_off for part, _ in life.deployment.placed)
        met[f"of {life.one.kind}"] += 1
    return met


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
