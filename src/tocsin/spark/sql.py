"""`MATCH_RECOGNIZE` in the SQL of Spark, which has none: each clause becomes a table of its matches.

    tc.spark.sql("SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY ts ... ) AS m WHERE m.n > 3")

The clause with the table before it is taken out of the text, read as Flink's (`origins/flink_sql.py`) and run by
`detect`; in its place stands a view of what was found. So all that is around it is Spark's own SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.algebra.guards import Attribute, Binary, Call, End, Guard, Literal, Negative, walk
from tocsin.algebra.patterns import Atom, Described
from tocsin.algebra.patterns import walk as parts_of
from tocsin.algebra.rules import Rule
from tocsin.api import program_of
from tocsin.errors import Source, Span, UsageError
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.flink_sql import Query, rule_of_query
from tocsin.origins.row_patterns import read_clause
from tocsin.origins.words import Words, mistake
from tocsin.rules.options import order_of
from tocsin.runtime.options import Options
from tocsin.spark.detection import detected_by

TYPE, TIME, NAME, DATA = "type", "time", "id", "data"
RULE: Final = "matches"
_WHOLE: Final = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


@dataclass(frozen=True)
class Clause:
    """A clause in a text: the table before it, as it is written, and what is asked of its rows."""

    table: str
    rule: Rule
    time: str
    span: Span
    """The table and the clause: what a view stands for."""


def queried(text: str, session: Any = None, watermark: str | None = None) -> Any:
    """What a query of Spark's SQL gives in which tables may have `MATCH_RECOGNIZE` behind them."""
    spark = session or SparkSession.getActiveSession()
    if spark is None:
        raise UsageError("there is no SparkSession: tc.spark.sql(query, session=spark)")
    views: list[str] = []
    pieces: list[str] = []
    position = 0
    try:
        for clause in clauses_of(text):
            view = f"tocsin_{uuid4().hex}"
            matches_of(clause, spark, watermark).createOrReplaceTempView(view)
            views.append(view)
            pieces += [text[position : clause.span.start], view]
            position = clause.span.stop
        return spark.sql("".join([*pieces, text[position:]]))
    finally:
        for view in views:  # the plan has been made: it does not need the name any more
            spark.catalog.dropTempView(view)


def clauses_of(text: str) -> list[Clause]:
    """The clauses of a text, in order."""
    source = Source(text, "<query>")
    return list(_clauses(Words(source)))


def _clauses(words: Words) -> Iterator[Clause]:
    path: list[Token] = []
    while words.token.kind is not Kind.END:
        if words.at("match_recognize") and words.follows("(") and path:
            yield _clause(words, path)
            path = []
            continue
        token = words.advance()
        if token.kind is Kind.NAME and path and path[-1].text == ".":
            path.append(token)
        elif token.kind is Kind.NAME:
            path = [token]
        elif token.text == "." and path:
            path.append(token)
        elif token.text == ")":
            path = [token]
        else:
            path = []


def _clause(words: Words, path: list[Token]) -> Clause:
    if path[-1].kind is not Kind.NAME:
        hint = "give it a name: WITH t AS (SELECT ...) does not reach the clause, CREATE TEMP VIEW t AS SELECT ... does"
        raise mistake("a clause behind anything but the name of a table", path[-1], hint)
    start = path[0].start
    words.advance()
    found = read_clause(words)
    inner = Span(start, words.last_stop, words.source)
    rule = rule_of_query(Query(path[-1], found, None, RULE, inner))
    assert found.order is not None
    written = words.source.text[start : path[-1].stop]
    return Clause(written, rule, found.order.text, inner)


def matches_of(clause: Clause, spark: Any, watermark: str | None) -> Any:
    """The matches of a clause: its partition and its measures, a row each."""
    table = spark.table(clause.table)
    fields = {field.name: field.dataType for field in table.schema.fields}
    if clause.time not in fields:
        raise mistake(f"the table has no column '{clause.time}'", clause.span, f"there are {', '.join(fields)}")
    for guard in (*_conditions(clause.rule), *(each for _, each in clause.rule.select)):
        _refuse_unknown(guard, fields)
    events = _events(table, clause)
    options = Options(order=order_of("guaranteed"))
    once = None if table.isStreaming else 0
    found = detected_by(events, program_of(clause.rule), options, watermark=watermark, remember=once)
    if table.isStreaming:
        found = found.filter(~F.col("late"))
    shape = T.StructType([T.StructField(name, _type_of(each, fields)) for name, each in clause.rule.select])
    return found.select(F.from_json(F.col(DATA), shape).alias(DATA)).select(f"{DATA}.*")


def _events(table: Any, clause: Clause) -> Any:
    """The rows as events of one type. Each counts, also one that is like another: so each has a number."""
    columns = [F.col(f"`{name}`") for name in table.columns if name != clause.time]
    data = F.struct(*columns) if columns else F.struct(F.lit(None).alias("_"))
    kept = [F.lit(_type_name(clause)).alias(TYPE), F.col(f"`{clause.time}`").alias(TIME), data.alias(DATA)]
    return (
        table.select(*kept) if table.isStreaming else table.select(*kept, F.monotonically_increasing_id().alias(NAME))
    )


def _type_name(clause: Clause) -> str:
    return clause.table.rpartition(".")[2].strip("`")


def _conditions(rule: Rule) -> Iterator[Guard]:
    """What is asked of each row."""
    for part in parts_of(rule.pattern):
        if isinstance(part, Atom) and isinstance(part.accepts, Described) and part.accepts.guard is not None:
            yield part.accepts.guard


def _refuse_unknown(guard: Guard, fields: Mapping[str, T.DataType]) -> None:
    for part in walk(guard):
        if isinstance(part, Attribute) and part.name not in fields:
            raise mistake(f"the table has no column '{part.name}'", part.span, f"there are {', '.join(fields)}")


def _type_of(guard: Guard, fields: Mapping[str, T.DataType]) -> T.DataType:
    """The type of a measure."""
    match guard:
        case Attribute(name=name):
            return fields[name]
        case End():
            return T.TimestampType()
        case Call(function="count" | "len"):
            return T.LongType()
        case Call(function="sum", arguments=(column,)):
            return T.LongType() if isinstance(_type_of(column, fields), _WHOLE) else T.DoubleType()
        case Call(function="avg"):
            return T.DoubleType()
        case Call(function="lower" | "upper"):
            return T.StringType()
        case Call(arguments=(value, *_)) | Negative(operand=value):
            return _type_of(value, fields)
        case Literal(value=bool()):
            return T.BooleanType()
        case Literal(value=int()):
            return T.LongType()
        case Literal(value=str()):
            return T.StringType()
        case Binary(left=left, right=right):
            kinds = (_type_of(left, fields), _type_of(right, fields))
            return T.LongType() if all(isinstance(kind, _WHOLE) for kind in kinds) else T.DoubleType()
    return T.DoubleType()
