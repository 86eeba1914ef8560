"""The rules of a pipeline on Spark: what can follow what runs, and rules that stand in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from tocsin.errors import UsageError
from tocsin.pipelines.description import Pipeline
from tocsin.pipelines.live_rules import LiveRules
from tocsin.planner.lanes import Version
from tocsin.rules.documents import KEYS
from tocsin.rules.rulebook import Texts
from tocsin.runtime.options import Options
from tocsin.spark.commits import CommitLog
from tocsin.spark.detection import checked_lanes


class SparkHome:
    """The shards of a query, and the log of its micro-batches."""

    def __init__(self, checkpoint: str) -> None:
        self.commits = CommitLog(checkpoint)

    def latest_read(self, delay: int) -> int:
        """The latest time of the micro-batches that are done."""
        return self.commits.latest_read(delay)

    def check(self, versions: Sequence[Version], options: Options) -> None:
        """What remembers something must stay where it is."""
        checked_lanes(list(versions), options)


def live_rules(spark: Any, pipeline: Pipeline, options: Options, delay: int) -> tuple[LiveRules, SparkHome]:
    """The rules of a pipeline, from its files or a table of Spark's, and where they run."""
    home, watch = SparkHome(pipeline.checkpoint), pipeline.watch
    name = None if watch is None else watch.table
    table = None if name is None else lambda: table_of(spark, name)
    return LiveRules(pipeline, options, delay, home, table), home


def table_of(spark: Any, name: str | None) -> Texts:
    """The rules of a table of Spark's: a row a rule, whose columns are the keys of a rule in a rules file."""
    from pyspark.errors import PySparkException

    try:
        frame = spark.read.table(name)
        odd = [column for column in frame.columns if column not in KEYS]
        if odd:
            raise UsageError(f"the table {name} has a column {odd[0]!r}: a rule has {', '.join(KEYS)}")
        rows = [row.asDict(recursive=True) for row in frame.orderBy("name").collect()]
    except PySparkException as error:
        raise UsageError(f"the table {name} cannot be read: {str(error).splitlines()[0]}") from None
    rules = [{key: value for key, value in row.items() if value is not None} for row in rows]
    return {f"{name}.yaml": yaml.safe_dump({"rules": rules}, sort_keys=False, allow_unicode=True)}
