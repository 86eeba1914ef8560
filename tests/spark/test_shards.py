"""Shards without Spark: what is found does not depend on how the events are spread, cut into batches or mixed up."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tocsin as tc
from tocsin.algebra.rules import Order
from tocsin.engine.frames.reports import Reported, hashed
from tocsin.errors import SnapshotError
from tocsin.formats.instants import TimeStyle
from tocsin.planner.lanes import Lane, Stage, Version, lanes
from tocsin.planner.placement import KEYED, Placement, placements
from tocsin.rules.programs import rules_program
from tocsin.runtime.verbs import DetectionBatch
from tocsin.spark.arrow_bytes import to_bytes
from tocsin.spark.batch import within
from tocsin.spark.routes import lane_routes
from tocsin.spark.rows import row_batches
from tocsin.spark.shard import Conditions, Shard
from tocsin.spark.shard_cache import forget
from tocsin.spark.slices import Cuts, cuts_of
from tocsin.spark.steps import END, LAST, Stepper
from tocsin.spark.streams import ShardRunner, made_again
from tocsin.stores import ledger
from tocsin.stores.ledger import Ledger
from tocsin.time.spans import Period

pytest.importorskip("pyspark", reason="tocsin.spark needs pyspark")

KEYED_PAIRS = "(x:a ; y:b when x.k == y.k) ; z:c when y.k == z.k"
RULES = [
    tc.rule("pair", "x:a ; y:b", condition="x.k == y.k", context="unrestricted", window="20 s"),
    tc.rule("first", "x:a ; y:b", condition="x.k == y.k", context="generic", window="30 s"),
    tc.rule("quiet", "(x:a -> !(y:b if y.k == x.k)) in 5 s", language="sel"),
    tc.rule("three", "TimesEq(3, x:c, k)", window="40 s", context="unrestricted"),
    tc.rule("big", "x:c", condition="x.v > 7"),
    tc.rule("any_two", "x:a ; y:c", context="generic", window="3 s"),
    tc.rule("in_turn", KEYED_PAIRS, language="gem", context="chronicle", window="60 s"),
    tc.rule("each", KEYED_PAIRS, language="gem", context="continuous", window="60 s"),
    tc.rule("newest", KEYED_PAIRS, language="gem", context="recent", window="60 s"),
    tc.rule("together", "x:a & y:b", context="cumulative", window="9 s"),
    tc.rule("chain", "[x:a] ; [b(k = x.k) in {b(k = x.k), c(k = x.k)}]", language="core", window="60 s"),
    tc.rule("silence", "([x:a], [T]){T = 5 sec}", language="core"),
]
"""Keyed ones, one about single events, and some without a key."""
ORDER = Order("guaranteed")
SCHEMA = pa.schema(
    [
        ("type", pa.string()),
        ("time", pa.timestamp("us", "UTC")),
        ("id", pa.string()),
        ("source", pa.string()),
        ("data.k", pa.int64()),
        ("data.v", pa.int64()),
    ]
)


def events(random: Random, count: int) -> list[dict[str, Any]]:
    """In order of time, several at one time; some have no key."""
    time, made = 0, []
    for number in range(count):
        time += random.choice((0, 0, 1, 2, 5)) * 1_000_000
        key = random.choice((1, 2, 3, None))
        made.append({"type": random.choice("abcd"), "time": time, "id": f"{number:03}", "source": "s", "data.k": key})
        made[-1]["data.v"] = random.randrange(10)
    return made


def table(rows: list[dict[str, Any]]) -> Any:
    return pa.Table.from_pylist(rows, SCHEMA)


def ids(found: DetectionBatch) -> list[str]:
    return list(map(hashed, found.identities.to_pylist())) if isinstance(found, Reported) else [one.id for one in found]


def rules_of(found: DetectionBatch) -> list[str]:
    return found.rules.to_pylist() if isinstance(found, Reported) else [one.rule for one in found]


def embedded(rows: list[dict[str, Any]]) -> Counter[str]:
    """What one engine finds, with everything in order."""
    return Counter(one.id for one in tc.detect(RULES, _as_given(rows)))


def spread(rows: list[dict[str, Any]], shards: int) -> list[tuple[Any, list[dict[str, Any]]]]:
    """The rows of every shard of every placement, with the placement."""
    made = []
    for placement in placements(rules_program(RULES)):
        types = placement.types or frozenset("abcd")
        wanted = [row for row in rows if row["type"] in types]
        if placement.kind == KEYED:
            made += [
                (placement, [row for row in wanted if (row["data.k"] or 0) % shards == each]) for each in range(shards)
            ]
        else:
            made.append((placement, wanted))
    return made


def test_there_is_something_to_find() -> None:
    found = Counter(one.rule for one in tc.detect(RULES, _as_given(events(Random(1), 300))))
    assert min(found[rule.name] for rule in RULES) > 3


def lane(placement: Placement) -> Lane:
    """A lane whose rules never change."""
    return (Stage(0, None, placement),)


def _as_given(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": row["type"], "time": row["time"] / 1e6, "id": row["id"], "source": "s"}
        | {"data": {name: row[f"data.{name}"] for name in ("k", "v") if row[f"data.{name}"] is not None}}
        for row in rows
    ]


@given(seed=st.integers(0, 10_000), count=st.integers(0, 60), shards=st.integers(1, 4))
def test_batch(seed: int, count: int, shards: int) -> None:
    random = Random(seed)
    rows = events(random, count)
    found: Counter[str] = Counter()
    for placement, some in spread(rows, shards):
        random.shuffle(some)
        shard = Shard(placement, Conditions(ORDER))
        for each in shard.take(table(some)) if some else ():
            found.update(ids(each))
        found.update(one.id for one in shard.finish())
    assert found == embedded(rows)


@given(seed=st.integers(0, 10_000), count=st.integers(0, 60), shards=st.integers(1, 3), cuts=st.integers(1, 6))
@pytest.mark.parametrize("in_files", [False, True])
def test_stream(seed: int, count: int, shards: int, cuts: int, in_files: bool) -> None:
    """Cut anywhere, mixed up as far as the watermark allows, and now and then begun anew from what was kept."""
    random = Random(seed)
    rows = events(random, count)
    delay = 4_000_000
    arriving = sorted(rows, key=lambda row: row["time"] + random.randrange(delay))
    places = sorted(random.randrange(len(rows) + 1) for _ in range(cuts))
    pieces = [arriving[start:stop] for start, stop in zip([0, *places], [*places, len(rows)], strict=True)]
    found: Counter[str] = Counter()
    with TemporaryDirectory() as home, few_bytes(random):
        homes = [f"{home}/{place}" if in_files else None for place in range(len(spread(rows, shards)))]
        running = [Stepper(lane(placement), Conditions(ORDER)) for placement, _ in spread(rows, shards)]
        ledgers = [Ledger(each) for each in homes]
        watermark, latest = None, 0
        for piece in [*pieces, None]:
            for place, (placement, some) in enumerate(spread(piece or [], shards)):
                mark = LAST if piece is None else watermark
                assert mark is None or mark < END or piece is None
                arrived = table(some) if some else None
                told, late = running[place].step(arrived, mark)
                assert late is None
                found.update(name for _, each in told for name in ids(each))
                ledgers[place].note(to_bytes(arrived) if some else b"", mark, running[place].whole)
                if random.random() < 0.5:
                    ledgers[place] = Ledger.of(ledgers[place].to_bytes(), homes[place])
                    running[place] = made_again(lane(placement), Conditions(ORDER), ledgers[place])
            latest = max([latest, *(row["time"] for row in piece or [])])
            watermark = latest - delay if latest > delay else None
    assert found == embedded(rows)


@contextmanager
def few_bytes(random: Random) -> Iterator[None]:
    """Ledgers that write whole states and files where those are small, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "LEAST", random.choice((0, 2000, 20_000)))
        patch.setattr(ledger, "SMALL", random.choice((0, 500)))
        patch.setattr(ledger, "RETAINED", 1)
        yield


def test_late_events_are_told_and_not_evaluated() -> None:
    (placement,) = placements(rules_program(RULES[:1]))
    stepper = Stepper(lane(placement), Conditions(ORDER))
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    after = row | {"type": "b", "id": "2", "time": 9_000_000}
    assert stepper.step(table([after]), None) == ([], None)
    found, late = stepper.step(table([row]), 5_000_000)
    assert (found, late["id"].to_pylist()) == ([], ["1"])
    assert stepper.step(None, LAST) == ([], None)


def test_what_is_late_in_several_shards_is_told_by_the_first() -> None:
    (placement,) = placements(rules_program(RULES[:1]))
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    told = []
    for copy in range(3):
        stepper = Stepper(lane(placement), Conditions(ORDER))
        _, late = stepper.step(table([row]).append_column("copy", pa.array([copy], pa.int32())), 5_000_000)
        told.append(None if late is None else late.num_rows)
        assert late is None or "copy" not in late.column_names
    assert told == [1, None, None]


@pytest.mark.parametrize("is_made_again", [False, True])
def test_the_last_event_under_a_watermark_that_waits_for_nothing(is_made_again: bool) -> None:
    """It is less than a millisecond after the watermark. What comes after it is not late, what was before it is."""
    (placement,) = placements(rules_program([tc.rule("each", "x:a")]))
    conditions = Conditions(ORDER, grace=999)
    stepper = Stepper(lane(placement), conditions)
    row = {"type": "a", "source": "s", "data.k": 1, "data.v": 1}
    told: list[str] = []
    lates: list[str] = []
    for name, time, watermark in (("1", 1_000_500, None), ("2", 1_000_700, 1_000_000), ("3", 1_000_600, 1_000_000)):
        found, late = stepper.step(table([row | {"id": name, "time": time}]), watermark)
        told += [each["events"][0] for _, some in found for each in shard_rows_of(some, placement)]
        lates += [] if late is None else late["id"].to_pylist()
        if is_made_again:
            whole, stepper = stepper.whole(), Stepper(lane(placement), conditions)
            stepper.restore(whole)
    assert (told, lates) == (["1", "2"], ["3"])


def shard_rows_of(found: Any, placement: Placement) -> list[dict[str, Any]]:
    style = TimeStyle(False)
    return [row for batch in row_batches(pa, [found], placement, style) for row in batch.to_pylist()]


def test_what_is_waited_for_is_known() -> None:
    (placement,) = placements(rules_program(RULES[2:3]))
    stepper = Stepper(lane(placement), Conditions(ORDER))
    assert stepper.next_moment() is None
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    stepper.step(table([row]), None)
    assert stepper.next_moment() == 1_000_000, "it is held until the watermark has passed it"
    stepper.step(None, 2_000_000)
    assert stepper.next_moment() == 6_000_000, "no b within five seconds"
    found, _ = stepper.step(None, 7_000_000)
    assert [name for _, each in found for name in rules_of(each)] == ["quiet"]


def test_rules_may_change_as_long_as_the_key_is_the_same() -> None:
    """What is equal goes on where it was; what is new begins."""
    pair, other = RULES[0], tc.rule("other", "x:a ; y:b", condition="x.k == y.k && x.v < y.v", window="20 s")
    (before,), (after,) = placements(rules_program([pair])), placements(rules_program([pair, other]))
    assert before.key == after.key
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    stepper = Stepper(lane(before), Conditions(ORDER))
    stepper.step(table([row]), None)
    stepper.step(None, 2_000_000)
    going_on = Stepper(lane(after), Conditions(ORDER))
    going_on.restore(stepper.whole())
    going_on.step(table([row | {"type": "b", "id": "2", "time": 3_000_000, "data.v": 5}]), 2_000_000)
    found, _ = going_on.step(None, LAST)
    assert [name for _, each in found for name in rules_of(each)] == ["pair"]


def runner_of(rules: list[Any]) -> ShardRunner:
    """What runs the shards of some rules, in the order of arrival, in a stream."""
    found = lanes([Version(0, None, rules_program(rules))])
    return ShardRunner(lane_routes(found, Conditions(Order()), 1, ("k", "v")), None)


def told_rules(frames: Iterator[Any]) -> list[str]:
    """The rules of what a shard has told Spark."""
    return [name for frame in frames for name in frame["rule"]]


class InMemory:
    """The state of a group as a shard sees it, of a query of which nothing else is there."""

    hasTimedOut = False  # noqa: N815 - Spark's name

    def __init__(self) -> None:
        self.get: tuple[Any, ...] | None = None

    @property
    def exists(self) -> bool:
        return self.get is not None

    def update(self, value: tuple[Any, ...]) -> None:
        self.get = value

    def getCurrentWatermarkMs(self) -> int:  # noqa: N802 - Spark's name
        return 0

    def setTimeoutTimestamp(self, at: int) -> None:  # noqa: N802 - Spark's name
        assert at > 0


def test_a_shard_that_is_remembered_is_not_taken_for_another_querys() -> None:
    """Two queries of the same rules in one worker, and a micro-batch that is repeated because it was not committed."""
    run = runner_of(RULES[:1])

    def step(state: InMemory, kind: str, number: int) -> list[str]:
        row = {"type": kind, "time": number, "id": f"{number}", "source": "s", "data.k": 1, "data.v": 1}
        frame = {"rows": [to_bytes(table([row]).append_column("arrival", table([row])["time"]))]}
        return told_rules(run((0,), iter([frame]), state))

    one, other = InMemory(), InMemory()
    step(one, "a", 1)
    step(other, "c", 1)
    committed = one.get
    assert step(one, "b", 2) == ["pair"]
    one.get = committed  # the commit failed: the same again
    assert step(one, "b", 2) == ["pair"]
    assert step(other, "b", 2) == [], "it has seen no a"


def test_a_file_of_the_checkpoint_that_is_gone_or_damaged_is_named() -> None:
    with TemporaryDirectory() as home:
        written = Ledger(home)
        written.note(b"x" * 100_000, None, bytes)
        (path,) = Path(home).iterdir()
        assert [rows for rows, _ in Ledger.of(written.to_bytes(), home).steps()] == [b"x" * 100_000]
        path.write_bytes(b"S" + bytes(100))
        with pytest.raises(SnapshotError, match=f"damaged: {path}"):
            list(Ledger.of(written.to_bytes(), home).steps())
        path.unlink()
        with pytest.raises(SnapshotError, match=f"cannot be read: {path}"):
            list(Ledger.of(written.to_bytes(), home).steps())
        with pytest.raises(SnapshotError, match="say the directory"):
            list(Ledger.of(written.to_bytes(), None).steps())


def test_files_that_nobody_names_any_more_are_deleted_later() -> None:
    with TemporaryDirectory() as home:
        written = Ledger(home)
        for number in range(ledger.RETAINED * 3):
            written.note(bytes(number % 2 * ledger.LEAST), None, lambda: bytes(ledger.SMALL + 1))
        kept = len(list(Path(home).iterdir()))
        assert ledger.RETAINED / 2 < kept <= ledger.RETAINED + 2
        assert len(written.to_bytes()) < 100 * ledger.RETAINED


def test_a_step_that_was_made_under_other_rules_is_made_again_under_them() -> None:
    """What a new rule does not see before it is there, it does not see after a restart either."""
    pair, other = RULES[0], tc.rule("other", "x:a ; y:b", condition="x.k == y.k && x.v < y.v", window="20 s")
    state = InMemory()
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "data.k": 1, "data.v": 1}

    def step(rules: list[Any], row: dict[str, Any]) -> list[str]:
        frame = {"rows": [to_bytes(table([row]).append_column("arrival", table([row])["time"]))]}
        return told_rules(runner_of(rules)((0,), iter([frame]), state))

    assert step([pair], row) == []
    forget()  # another process
    later = row | {"type": "b", "id": "2", "time": 2_000_000, "data.v": 5}
    assert step([pair, other], later) == ["pair"]
    assert step([pair, other], row | {"id": "3", "time": 3_000_000}) == []
    assert sorted(step([pair, other], later | {"id": "4", "time": 4_000_000})) == ["other", "pair", "pair"]


def test_a_shard_stays_in_the_worker_that_had_it_first() -> None:
    """Another worker asks it; and makes the shard again once that one is gone."""
    run, state = runner_of(RULES[:1]), InMemory()

    def step(kind: str, number: int) -> list[str]:
        row = {"type": kind, "time": number, "id": f"{number}", "source": "s", "data.k": 1, "data.v": 1}
        frame = {"rows": [to_bytes(table([row]).append_column("arrival", table([row])["time"]))]}
        return told_rules(run((0,), iter([frame]), state))

    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as other:
        state.get = other.submit(_first_step, run, state, table([]).schema).result()
        assert state.get is not None
        owner = state.get[1].rpartition(".")[2]
        assert int(owner) != os.getpid()
        assert step("b", 2) == ["pair"]
        assert state.get[1].rpartition(".")[2] == owner, "the step was made there"
    assert step("b", 3) == ["pair"]
    assert state.get[1].rpartition(".")[2] == str(os.getpid())


def _first_step(run: ShardRunner, state: InMemory, schema: Any) -> tuple[Any, ...] | None:
    row = {"type": "a", "time": 1, "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    one = pa.Table.from_pylist([row], schema)
    list(run((0,), iter([{"rows": [to_bytes(one.append_column("arrival", one["time"]))]}]), state))
    return state.get


SLICED = [
    tc.rule("both", "x:a & y:b & z:c", window="6 s", context="unrestricted"),
    tc.rule("then", "x:a ; y:b", condition="x.v < y.v", window="3 s", context="unrestricted"),
    tc.rule("between", "{a ; c} ! b", language="gem", window="8 s", context="unrestricted"),
    replace(
        tc.rule("quiet", "(x:a -> !(y:b if y.v > x.v)) in 5 s", language="sel"),
        window=Period.of(microseconds=7_000_000),
    ),
    tc.rule("twice", "TimesDf(2, d, v)", window="4 s", context="unrestricted"),
]
"""Without a key, but windows."""


def dealt(cuts: Cuts, time: int) -> set[int]:
    """The shards that an event goes to: that of its slice, and that of the slice which it reaches."""
    return {each // cuts.length % cuts.count for each in (time, time + cuts.overlap)}


@given(seed=st.integers(0, 100_000), count=st.integers(1, 150), most=st.sampled_from([1, 2, 3, 7]))
def test_slices_of_time(seed: int, count: int, most: int) -> None:
    """Each by itself, with what came before it: together they find what one engine finds."""
    random = Random(seed)
    rows = events(random, count)
    for place, row in enumerate(rows):  # with stretches in which nothing comes, some of it before 1970
        row["time"] += place // 20 * 1000 * random.randrange(100_000) - 40_000_000
    rows.sort(key=lambda row: row["time"])
    found: Counter[str] = Counter()
    for placement in placements(rules_program(SLICED)):
        cuts = cuts_of(placement.overlap, most)
        assert (cuts is None) == (most == 1)
        for number in range(most):
            some = [row for row in rows if cuts is None or number in dealt(cuts, row["time"])]
            slices = None if cuts is None else (cuts, number)
            shard = Shard(placement, Conditions(ORDER))
            for each in shard.take(table(some)) if some else ():
                found.update(ids(within(each, slices)))
            found.update(ids(within(shard.finish(), slices)))
    assert found == Counter(one.id for one in tc.detect(SLICED, _as_given(rows)))


@pytest.mark.parametrize(
    "rule",
    [
        tc.rule("generic", "x:a ; y:b", window="3 s", context="generic"),
        tc.rule("endless", "x:a ; y:b", context="unrestricted"),
        tc.rule("months", "x:a ; y:b", window="1 month", context="unrestricted"),
        tc.rule("waits", "a + [3 s] ; b", language="gem", window="9 s", context="unrestricted"),
    ],
)
def test_what_cannot_be_sliced(rule: Any) -> None:
    assert [placement.overlap for placement in placements(rules_program([rule]))] == [None]
