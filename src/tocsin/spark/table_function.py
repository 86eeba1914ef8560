"""`tocsin_detect` in SQL: rules over a table, as a function that gives a table (PySpark 4.0 or newer).

    tc.spark.register(spark)
    SELECT * FROM tocsin_detect(TABLE(events), rules => 'pair: a then b by host within 5 min')

What the rules look for is asked once, when the query is planned: rules that have one key in common get the events of
each key for themselves, others all events together; both in order of time. The events of a key are held in memory until
the last of them has come. `tc.spark.detect` holds no more than its rules need, and is much faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pyspark.sql import SparkSession
from pyspark.sql.functions import udtf
from pyspark.sql.types import ArrayType, StringType, StructType, TimestampNTZType, TimestampType
from pyspark.sql.udtf import AnalyzeArgument, AnalyzeResult, OrderingColumn, PartitioningColumn

from tocsin.algebra.rules import Program
from tocsin.api import detect
from tocsin.errors import UsageError
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.placement import KEYED, placements
from tocsin.rules.documents import read_document
from tocsin.rules.loader import load_expression
from tocsin.runtime.options import Options
from tocsin.session import Session

NAME: Final = "tocsin_detect"
_LINE: Final = re.compile(r"([^\W\d]\w*): +(\S.*)")
SHAPE: Final = (
    StructType()
    .add("rule", StringType())
    .add("start", TimestampType())
    .add("time", TimestampType())
    .add("events", ArrayType(StringType()))
    .add("data", StringType())
)


@dataclass
class Analysis(AnalyzeResult):  # type: ignore[misc] # PySpark's own is untyped
    """What is known when the query is planned."""

    rules: str = ""
    language: str = "pretty"
    is_local: bool = False
    """Whether times are those of a clock on the wall, without a zone."""


class Detect:
    """The function. Spark makes one for each key, gives it the key's rows, and then asks for what was found."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.rows: list[dict[str, Any]] = []

    @staticmethod
    def analyze(events: AnalyzeArgument, rules: AnalyzeArgument, language: AnalyzeArgument | None = None) -> Analysis:
        """Which columns there are, and how the rows must come."""
        if not events.isTable or not isinstance(events.dataType, StructType):
            raise UsageError(f"{NAME} wants a table first: {NAME}(TABLE(events), rules => 'pair: a then b')")
        text = _constant(rules, "rules")
        spoken = "pretty" if language is None else _constant(language, "language")
        kinds = {field.name: field.dataType for field in events.dataType.fields}
        missing = [name for name in ("type", "time") if name not in kinds]
        if missing:
            raise UsageError(f"the table has no column '{missing[0]}', and every event has one: name it in a view")
        key = key_of(program_of(text, spoken))
        keyed = key is not None and key in kinds
        return Analysis(
            SHAPE,
            withSinglePartition=not keyed,
            partitionBy=[PartitioningColumn(f"`{key}`")] if keyed else [],
            orderBy=[OrderingColumn("time")],
            rules=text,
            language=spoken,
            is_local=isinstance(kinds["time"], TimestampNTZType),
        )

    def eval(self, events: Any, rules: str, language: str = "pretty") -> Iterator[tuple[Any, ...]]:
        """One row."""
        row = {name: value for name, value in events.asDict(recursive=True).items() if value is not None}
        if isinstance(time := row.get("time"), datetime):
            row["time"] = time.replace(tzinfo=UTC) if self.analysis.is_local else time.astimezone(UTC)
        self.rows.append(row)
        yield from ()

    def terminate(self) -> Iterator[tuple[Any, ...]]:
        """What was found in all rows."""
        style = TimeStyle()
        for each in detect(program_of(self.analysis.rules, self.analysis.language), self.rows, progress=False):
            yield each.rule, each.start, each.time, list(each.events), to_json(timely(each.data, style))


def register(spark: Any = None) -> None:
    """Makes `tocsin_detect` known in a session's SQL."""
    session = spark or SparkSession.getActiveSession()
    if session is None:
        raise UsageError("there is no SparkSession: tc.spark.register(spark)")
    session.udtf.register(NAME, udtf(Detect))


def program_of(text: str, language: str) -> Program:
    """Rules in a text: `name: expression` line by line, a single expression, or a YAML rules file."""
    if text.lstrip().startswith("rules:"):
        return read_document(text, "<rules>")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [_LINE.fullmatch(line) for line in lines]
    if not lines or not all(named):
        return load_expression(text, language)
    made = Program()
    for each in named:
        assert each is not None
        made += load_expression(each[2], language, name=each[1])
    return made


def key_of(program: Program) -> str | None:
    """The attribute by whose value all rules can be run apart."""
    found = placements(Session(program, Options()).program)
    keys = {attribute for each in found for _, attribute in each.key}
    return keys.pop() if len(keys) == 1 and all(each.kind == KEYED for each in found) else None


def _constant(argument: AnalyzeArgument, name: str) -> str:
    if not isinstance(argument.value, str):
        raise UsageError(f"'{name}' is a text in quotes: {name} => 'pair: a then b by host within 5 min'")
    return argument.value
