"""The table function without Spark: what it asks for, and what it makes of the rows it is given."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import tocsin as tc

pytest.importorskip("pyspark", minversion="4.0")

from pyspark.sql import Row
from pyspark.sql import types as T
from pyspark.sql.udtf import AnalyzeArgument

from tocsin.spark.table_function import Analysis, Detect, key_of, program_of

TABLE = T.StructType().add("type", "string").add("time", "timestamp").add("id", "string").add("host", "string")


def analysed(rules: str, language: str | None = None, table: T.StructType = TABLE) -> Analysis:
    events = AnalyzeArgument(dataType=table, value=None, isTable=True, isConstantExpression=False)
    texts = [
        AnalyzeArgument(dataType=T.StringType(), value=text, isTable=False, isConstantExpression=True)
        for text in (rules, language)
        if text is not None
    ]
    return Detect.analyze(events, *texts)


def given(analysis: Analysis, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    function = Detect(analysis)
    for number, row in enumerate(rows):
        made = Row(type=row[0], time=datetime.fromtimestamp(row[1]), id=str(number), host=row[2])
        assert list(function.eval(made, analysis.rules)) == []
    return list(function.terminate())


def test_rules_of_one_key_are_run_by_it() -> None:
    found = analysed("pair: a then b by host within 5 min")
    assert [each.name for each in found.partitionBy] == ["`host`"]
    assert [each.name for each in found.orderBy] == ["time"]
    assert not found.withSinglePartition
    told = given(found, [("a", 1, "h1"), ("b", 3, "h1")])
    assert [(row[0], row[2], row[3]) for row in told] == [("pair", datetime.fromtimestamp(3, UTC), ["0", "1"])]
    assert '"h1"' in told[0][4]


def test_rules_without_a_key_are_run_on_all_rows() -> None:
    found = analysed("one: a then b by host\ntwo: a then c")
    assert found.withSinglePartition
    assert found.partitionBy == []
    assert [row[0] for row in given(found, [("a", 1, "x"), ("b", 2, "y"), ("c", 3, None)])] == ["two"]


def test_a_key_that_is_no_column_spreads_nothing() -> None:
    assert analysed("a then b by user").withSinglePartition


@pytest.mark.parametrize(
    ("text", "language", "names", "key"),
    [
        ("a then b by host", "pretty", ["rule"], "host"),
        ("x:a -> y:b if x.k == y.k in 5 sec", "sel", ["rule"], "k"),
        ("one: a then b by k within 5 min\n\ntwo: a then c by k within 5 min", "pretty", ["one", "two"], "k"),
        ("rules: [{name: r, language: core, expression: '[x:a] [b(k = x.k)]'}]", "pretty", ["r"], "k"),
        ("a then b", "pretty", ["rule"], None),
    ],
)
def test_rules_in_a_text(text: str, language: str, names: list[str], key: str | None) -> None:
    program = program_of(text, language)
    assert [rule.name for rule in program.rules] == names
    assert key_of(program) == key


@pytest.mark.parametrize(
    ("rules", "table", "message"),
    [
        ("a then then b", TABLE, "unexpected 'then'"),
        ("a then b", T.StructType().add("time", "timestamp"), "the table has no column 'type'"),
    ],
)
def test_what_is_wrong_is_told(rules: str, table: T.StructType, message: str) -> None:
    with pytest.raises(tc.TocsinError, match=message):
        analysed(rules, table=table)
