"""The rules of a running pipeline: read again and again, and written down before they take effect.

What the files (or a table) say is a version if it differs from the last. One whose texts are wrong, or that cannot
follow what runs, is refused: the last one goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import yaml

from tocsin.algebra.rules import Program
from tocsin.errors import TocsinError, UsageError
from tocsin.planner.lanes import Version
from tocsin.rules.documents import KEYS
from tocsin.rules.rulebook import Page, Rulebook, Texts, files_of
from tocsin.session import Options, Session
from tocsin.spark.detecting import checked_lanes
from tocsin.spark.pipelines import Pipeline
from tocsin.spark.versions import Entry, VersionLog

ONLY: Final = Page(Program(), {})


class LiveRules:
    """The versions of a pipeline's rules, and where the next one comes from. `refused`: why some did not become one."""

    def __init__(self, spark: Any, pipeline: Pipeline, options: Options, delay: int) -> None:
        self._options, self._delay, self._pipeline = options, delay, pipeline
        # Where Python cannot write there is no log, and the rules are those of the beginning.
        self.log = None if "://" in pipeline.checkpoint else VersionLog(pipeline.checkpoint)
        self.entries = [] if self.log is None else self.log.entries()
        self.refused: list[str] = []
        known = self.entries[-1] if self.entries and pipeline.watch is not None else None
        self._book = Rulebook(_source(spark, pipeline), None if known is None else known.texts)
        self._other = Rulebook(files_of(pipeline.shadow.rules if pipeline.shadow else ()), None)
        self._page = self._book.read() or ONLY if known is not None else self._book.opened()
        self._candidate = self._other.opened()
        self.refused += self._page.refused
        self._asked = time.monotonic()
        first = self._following()
        if first is not None:
            self.begin(first)

    @property
    def versions(self) -> list[Version]:
        """All that a shard may have to go through."""
        return [entry.version for entry in self.entries]

    def turned(self) -> Entry | None:
        """The next version, if the rules have changed and it is time to look; it is in force once it is begun."""
        watch = self._pipeline.watch
        if watch is None or self.log is None or time.monotonic() - self._asked < watch.every:
            return None
        self._asked = time.monotonic()
        page, candidate = self._book.read(), self._other.read()
        if page is None and candidate is None:
            return None
        self.refused = [*(page.refused if page else ()), *(candidate.refused if candidate else ())]
        self._page, self._candidate = page or self._page, candidate or self._candidate
        try:
            return self._following()
        except TocsinError as error:
            self.refused.append(str(error))
            return None

    def begin(self, entry: Entry) -> Entry:
        """Writes a version down, from the latest time on that was read under the one before."""
        if self.log is not None:
            before = self.entries[-1] if self.entries else None
            since = None if before is None else self.log.latest_read(before.delay)
            entry = replace(entry, version=replace(entry.version, since=since))
            self.log.add(entry, None if before is None else before.version)
        self.entries.append(entry)
        return entry

    def _following(self) -> Entry | None:
        """What the rules are now, if that is something else than the last version; refused if it cannot follow it."""
        program, candidate = (_completed(page.program, self._options) for page in (self._page, self._candidate))
        if not program.rules:
            raise UsageError("there are no rules: " + ("; ".join(self._page.refused) or "the files hold none"))
        last = self.entries[-1].version if self.entries else None
        if last is not None and (last.program, last.candidate) == (program, candidate):
            return None
        number = 0 if self.log is None else len(self.entries) + 1
        version = Version(number, None if last is None else 0, program, candidate)
        checked_lanes([*self.versions, version], self._options)
        return Entry(version, self._page.texts, self._candidate.texts, self._delay)


def _completed(program: Program, options: Options) -> Program:
    return Session(program, options).program if program.rules else Program()


def _source(spark: Any, pipeline: Pipeline) -> Callable[[], Texts]:
    watch = pipeline.watch
    return files_of(pipeline.rules) if watch is None or watch.table is None else lambda: table_of(spark, watch.table)


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
