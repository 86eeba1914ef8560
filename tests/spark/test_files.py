"""Parquet files dealt to shards by the workers that read them: each shard finds its part of what there is."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, QUIET, as_given, rows
from tocsin.api import options_given, program_of
from tocsin.planner.placement import placements
from tocsin.session import Session

pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")

ALONE = tc.rule("alone", "x:a", condition="x.load > 1152921504606846979", select={"load": "x.load"})
LOOSE = tc.rule("loose", "x:a ; y:c", context="unrestricted", window="3 s")
NUMBERS = tc.rule("numbers", "x:a ; y:b", condition="x.load == y.load", context="unrestricted", window="30 s")
RULES = [PAIR, QUIET, ALONE, LOOSE, NUMBERS]


@pytest.mark.parametrize(("shards", "is_cut"), [(1, False), (3, False), (4, True)])
def test_shards_find_all(tmp_path: Path, shards: int, is_cut: bool) -> None:
    import pyarrow.parquet as pq

    from tocsin.engine.frames.reports import hashed
    from tocsin.spark.batch import shard_rows
    from tocsin.spark.packs import ROWS, SHARD, pieces_by_shard
    from tocsin.spark.parquet import Files, sharded_tables
    from tocsin.spark.routes import routes
    from tocsin.spark.shard import Conditions

    given = rows(200, seed=shards)
    table = pa.Table.from_pylist(given)
    table = table.set_column(1, "time", table["time"].cast(pa.timestamp("us", "UTC")))
    table = table.set_column(4, "host", table["host"].dictionary_encode())
    table = table.set_column(5, "load", pa.array([2**60 + load for load in table["load"].to_pylist()], pa.int64()))
    for row in given:
        row["load"] += 2**60
    assert table.column_names[4:] == ["host", "load"]
    for number in range(3):
        pq.write_table(table.take(list(range(number, 200, 3))), tmp_path / f"{number}.parquet")
    options = options_given(None, "guaranteed", None, "point", None, "accept")
    placed = placements(Session(program_of(RULES), options).program)
    found = routes(placed, [Conditions(options.order)] * len(placed), shards, ("host", "load"), is_cut)
    assert len({placement.kind for placement in placed}) == 3
    fields = {name: name for name in ("type", "time", "id", "source")}
    files = Files(tuple(map(str, sorted(tmp_path.iterdir()))), fields, {"host": "host", "load": "load"})
    dealt: dict[int, list[Any]] = defaultdict(list)
    for path in files.paths:
        for events in sharded_tables(path, files, found):
            for piece in pieces_by_shard(events).to_pylist():
                dealt[piece[SHARD]].append(piece[ROWS])
    told: list[str] = []
    for shard, pieces in dealt.items():
        batch = pa.record_batch([pa.array([shard] * len(pieces), pa.int32()), pa.array(pieces)], [SHARD, ROWS])
        for found_there in shard_rows(iter([batch]), found, shard, ("id",)):
            told += [hashed(each) if each.startswith("[") else each for each in found_there["id"].to_pylist()]
    assert sorted(told) == sorted(one.id for one in tc.detect(RULES, map(as_given, given), order="guaranteed"))
