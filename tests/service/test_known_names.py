"""Names that were seen, many at a time and one by one, beside a plain dictionary of all there ever were."""

import random
import tracemalloc
from collections.abc import Callable

import pytest

from tocsin.service.known_names import KnownNames
from tocsin.service.name_runs import LEAST, Batch, NamesOfSource

Family = Callable[[random.Random, int], str]
FAMILIES: dict[str, Family] = {
    "counted": lambda choose, number: f"{number:06}",
    "hexadecimal": lambda choose, number: f"{number:08x}-{number % 7}",
    "growing": lambda choose, number: str(number),
    "by chance": lambda choose, number: f"{choose.getrandbits(64):016x}",
    "few": lambda choose, number: f"{choose.randrange(60):03}",
    "odd": lambda choose, number: chr(0xFFFE + number % 3) + "\n" * (number % 2) + "é" * (number % 4),
    "several": lambda choose, number: f"{'ab'[number % 2]}{number // 2:09}",
    "far apart": lambda choose, number: f"{number * 40_001:09}",
}


class Plain:
    """What is remembered, as it is meant: each name of a source with the time at which it came last."""

    def __init__(self, remember: int | None) -> None:
        self.remember, self.times = remember, dict[tuple[str, str], int]()

    def knows(self, source: str, name: str, now: int) -> bool:
        when = self.times.get((source, name))
        return when is not None and (self.remember is None or now - when <= self.remember)

    def has(self, source: str, name: str) -> bool:
        return (source, name) in self.times


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_it_remembers_as_a_dictionary_does(family: str, first: int) -> None:
    for seed in range(first, first + 50):
        _live(random.Random(seed), FAMILIES[family])


def _live(choose: random.Random, family: Family) -> None:
    remember = choose.choice((None, 5, 40))
    names, plain = KnownNames(remember), Plain(remember)
    sent: list[str] = []
    next_number = choose.choice((0, 95, 4090, 999_950))
    for _ in range(choose.choice((5, 30, 60))):
        names.now += choose.choice((0, 0, 1, 3, 30))
        count = choose.choice((1, 2, 3, 4, 5, 9, 20))
        batch = [family(choose, next_number + place) for place in range(count)]
        next_number += choose.choice((count, count, count, 1, 2 * count))
        if choose.random() < 0.3:
            choose.shuffle(batch)
        if sent and choose.random() < 0.3:
            batch[choose.randrange(count)] = choose.choice(sent)
        if choose.random() < 0.15:
            batch += batch[: choose.choice((1, count))]
        if len(sent) > 8 and choose.random() < 0.2:
            batch = sent[-8:]  # all of it again
        sources = choose.choice((None, ["s"] * len(batch), [choose.choice(("s", "t")) for _ in batch]))
        sent += batch
        names.is_trusting = choose.random() < 0.15
        _hold(names, plain, batch, sources)


def _hold(names: KnownNames, plain: Plain, batch: list[str], sources: list[str] | None) -> None:
    pairs = list(zip(sources or [""] * len(batch), batch, strict=True))
    is_new = names.are_new(batch, sources, b"")
    if names.is_trusting:
        assert is_new
        plain.times.update(dict.fromkeys(pairs, names.now))
    elif is_new:
        assert len(set(pairs)) == len(pairs)
        assert not any(plain.knows(*pair, names.now) for pair in pairs)
        plain.times.update(dict.fromkeys(pairs, names.now))
    else:
        assert len(set(pairs)) < len(pairs) or any(plain.has(*pair) for pair in pairs)
        for pair in pairs:
            expected = plain.knows(*pair, names.now)
            assert names.knew(*pair, 0) is expected, pair
            if not expected:
                plain.times[pair] = names.now


def test_names_that_run_on_take_little_more_than_their_characters() -> None:
    names = KnownNames(None)
    batches = [[f"{number:08x}-{place:02}" for place in range(100)] for number in range(400)]
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for batch in batches:
        assert names.are_new(batch, ["s"] * 100, b"")
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (after - before) / 40_000 < 24  # 11 characters each; one by one it is a hundred and more


def test_bodies_that_come_out_of_order_run_on_all_the_same() -> None:
    mine = NamesOfSource()
    for number in (3, 1, 0, 2, 7, 5, 4, 6):
        mine.add(Batch([f"{number:08x}-{place:02}" for place in range(50)]), 1)
    assert not mine.single
    assert mine.when("00000005-49") == 1
    assert mine.when("00000005-50") is None


def test_what_lies_within_a_run_stands_by_itself() -> None:
    mine = NamesOfSource()
    mine.add(Batch([f"{number:04}" for number in range(0, 40, 2)]), 1)
    between = Batch([f"{number:04}" for number in range(1, 50, 2)])
    assert not mine.meets(between)
    mine.add(between, 2)
    assert set(mine.single) == {f"{number:04}" for number in range(1, 38, 2)}
    assert [mine.when(f"{number:04}") for number in (0, 1, 38, 39, 49, 50)] == [1, 2, 1, 2, 2, None]
    assert mine.meets(Batch(["0041", *(f"{number:04}" for number in range(60, 60 + LEAST))]))


def test_few_names_among_many_runs() -> None:
    mine = NamesOfSource()
    for number in range(0, 5000, 10):
        mine.add(Batch([f"{each:06}" for each in range(number, number + LEAST)]), number)
    apart = [f"{number:06}" for number in (8, 1238, 2468, 3698, 4998)]
    assert not mine.meets(Batch(apart))
    assert mine.meets(Batch([*apart, "002463"]))
    assert [mine.when(name) for name in ("002463", "002464")] == [2460, None]
