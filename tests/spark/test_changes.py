"""Rules that change while a stream goes on, without Spark: the same as the plain meaning with the same changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tocsin as tc
from tests.spark.test_shards import ORDER, RULES, events, few_bytes, ids, table
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import Replay
from tocsin.algebra.rules import Rule
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.planner.lanes import Lane, Version, lanes, moved
from tocsin.planner.placement import ANYWHERE, KEYED, WHOLE, placements
from tocsin.rules.programs import rules_program
from tocsin.spark.arrow_bytes import to_bytes
from tocsin.spark.shard import Conditions
from tocsin.spark.steps import LAST, Stepper
from tocsin.spark.streams import made_again
from tocsin.stores.ledger import Ledger

OTHERS = [
    tc.rule("pair", "x:a ; y:b", condition="x.k == y.k && y.v > 2", context="unrestricted", window="20 s"),
    tc.rule("quiet", "(x:a -> !(y:b if y.k == x.k)) in 7 s", language="sel"),
    tc.rule("by_value", "x:a ; y:d", condition="x.v == y.v", context="unrestricted", window="20 s"),
    tc.rule("big", "x:c", condition="x.v > 5"),
    tc.rule("after_all", "x:d ; y:d", context="unrestricted", window="4 s"),
]
"""Some under the names of RULES, but different; some new, one of them with another key."""
DELAY = 4_000_000


def meaning(rows: list[dict[str, Any]], versions: list[Version]) -> Counter[str]:
    """What the plain meaning finds, whose rules change at the times of the versions."""
    judge = Replay(versions[0].program, None, Notes())
    ahead = versions[1:]
    for row in rows:
        data = {name: row[f"data.{name}"] for name in ("k", "v") if row[f"data.{name}"] is not None}
        event = Event(row["type"], row["time"], row["time"], row["id"], row["source"], data, row["time"])
        while ahead and ahead[0].since is not None and event.end > ahead[0].since:
            if judge.now is not None:
                judge.step(Release(ahead[0].since, None))
            judge.change(ahead.pop(0).program)
        judge.step(Release(event.end, event))
    for version in ahead:
        if judge.now is not None and version.since is not None:
            judge.step(Release(version.since, None))
        judge.change(version.program)
    judge.finish(None)
    return Counter(one.id for one in judge.drain())


def chosen(random: Random) -> list[Rule]:
    """Some of all rules, no two of one name."""
    pool = [*RULES, *OTHERS]
    random.shuffle(pool)
    found = {rule.name: rule for rule in pool if random.random() < 0.6}
    return sorted(found.values(), key=lambda rule: rule.name) or [RULES[0]]


def shards_of(lane: Lane, shards: int) -> int:
    return shards if lane[0].placement.kind == KEYED else 1


def routed(rows: list[dict[str, Any]], lane: Lane, shards: int, shard: int) -> list[dict[str, Any]]:
    """The rows that Spark would give to a shard."""
    types = [stage.placement.types for stage in lane]
    wanted = [row for row in rows if any(each is None or row["type"] in each for each in types)]
    since = lane[0].since
    wanted = [row for row in wanted if since is None or row["time"] > since]
    if lane[0].placement.kind != KEYED:
        return wanted
    names = dict(lane[-1].placement.key)
    return [row for row in wanted if (row[f"data.{names[row['type']]}"] or 0) % shards == shard]


@given(seed=st.integers(0, 100_000), count=st.integers(1, 60), shards=st.integers(1, 3), cuts=st.integers(1, 6))
@pytest.mark.parametrize("in_files", [False, True])
def test_changes_at_any_time(seed: int, count: int, shards: int, cuts: int, in_files: bool) -> None:
    """Events cut anywhere and mixed up; rules changed between two of the pieces; shards begun anew now and then."""
    random = Random(seed)
    rows = events(random, count)
    arriving = sorted(rows, key=lambda row: row["time"] + random.randrange(DELAY))
    places = sorted(random.randrange(len(rows) + 1) for _ in range(cuts))
    pieces = [arriving[start:stop] for start, stop in zip([0, *places], [*places, len(rows)], strict=True)]
    versions = [Version(1, None, rules_program(chosen(random)))]
    running: dict[tuple[int, int], tuple[Stepper, Ledger]] = {}
    found: Counter[str] = Counter()
    watermark, latest = None, 0
    with TemporaryDirectory() as home, few_bytes(random):
        for piece in [*pieces, None]:
            is_changed = latest > 0 and random.random() < 0.5
            if is_changed:
                versions.append(Version(len(versions) + 1, latest, rules_program(chosen(random))))
            for place, lane in enumerate(lanes(versions)):
                for shard in range(shards_of(lane, shards)):
                    where = f"{home}/{place}-{shard}" if in_files else None
                    stepper, ledger = running.get((place, shard)) or (Stepper(lane, Conditions(ORDER)), Ledger(where))
                    if is_changed or random.random() < 0.3:
                        ledger = Ledger.of(ledger.to_bytes(), where)
                        stepper = made_again(lane, Conditions(ORDER), ledger)
                    some = routed(piece or [], lane, shards, shard)
                    arrived, mark = table(some) if some else None, LAST if piece is None else watermark
                    if some or mark is not None:
                        told, late = stepper.step(arrived, mark)
                        assert late is None
                        found.update(name for _, each in told for name in ids(each))
                        ledger.note(to_bytes(arrived) if some else b"", mark, stepper.whole)
                    running[place, shard] = stepper, ledger
            latest = max([latest, *(row["time"] for row in piece or [])])
            watermark = latest - DELAY if latest > DELAY else None
    assert found == meaning(rows, versions)


def test_a_rule_that_is_the_same_stays_where_it_is() -> None:
    """The others go to what suits them; a lane is never given up, for its shards have their numbers."""
    pair, three, any_two = RULES[0], RULES[3], RULES[5]
    before = rules_program([pair, three, any_two])
    known = placements(before)
    assert [each.kind for each in known] == [KEYED, WHOLE]
    after = rules_program([three, OTHERS[2], OTHERS[3], any_two])
    now = moved(known, before, after)
    assert [(each.kind, [rule.name for rule in each.program.rules]) for each in now] == [
        (KEYED, ["three"]),
        (WHOLE, ["any_two"]),
        (KEYED, ["by_value"]),
        (ANYWHERE, ["big"]),
    ]
    assert dict(now[0].key) == {"a": "k", "b": "k", "c": "k"}, "the lane goes on, whatever it is asked for"


def test_what_is_spread_cannot_come_together() -> None:
    """A new rule that uses one whose memory is spread over shards; the other way round it can."""
    pair = RULES[0]
    uses = tc.rule("uses", "p:pair ; z:c", window="5 s")
    before = rules_program([pair])
    with pytest.raises(UsageError, match="rule 'pair' would have to run together with 'uses'"):
        moved(placements(before), before, rules_program([pair, uses]))
    both = rules_program([pair, uses])
    (only,) = moved(placements(both), both, rules_program([pair]))
    assert only.kind == WHOLE, "what it remembers is there"
    other = replace(pair, condition=None)
    (empty, new) = moved(placements(before), before, rules_program([other, uses]))
    assert ([rule.name for rule in empty.program.rules], new.kind) == ([], WHOLE)
