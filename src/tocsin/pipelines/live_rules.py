"""The rules of a running pipeline: read again and again, and written down before they take effect.

What the files (or a table) say is a version if it differs from the last. One whose texts are wrong, or that cannot
follow what runs, is refused: the last one goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from tocsin.algebra.rules import Program
from tocsin.errors import TocsinError, UsageError
from tocsin.pipelines.description import Pipeline
from tocsin.pipelines.versions import Entry, VersionLog
from tocsin.planner.lanes import Version
from tocsin.rules.rulebook import Page, Rulebook, Texts, files_of
from tocsin.runtime.options import Options
from tocsin.session import Session

ONLY: Final = Page(Program(), {})


class Home(Protocol):
    """Where the rules run: what has to be known of it before they change."""

    def latest_read(self, delay: int) -> int:
        """The latest time of all events that were read so far, in microseconds; the watermark's `delay` is in ms."""

    def check(self, versions: Sequence[Version], options: Options) -> None:
        """Raises an error if what runs cannot go on as the last of these versions."""


class LiveRules:
    """The versions of a pipeline's rules, and where the next one comes from. `refused`: why some did not become one.

    `table` gives the texts of rules that are not in files.
    """

    def __init__(
        self, pipeline: Pipeline, options: Options, delay: int, home: Home, table: Callable[[], Texts] | None = None
    ) -> None:
        self._options, self._delay, self._pipeline, self._home = options, delay, pipeline, home
        # Where Python cannot write there is no log, and the rules are those of the beginning.
        self.log = None if "://" in pipeline.checkpoint else VersionLog(pipeline.checkpoint)
        self.entries = [] if self.log is None else self.log.entries()
        self.refused: list[str] = []
        known = self.entries[-1] if self.entries and pipeline.watch is not None else None
        self._book = Rulebook(table or files_of(pipeline.rules), None if known is None else known.texts)
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
            since = None if before is None else self._home.latest_read(before.delay)
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
        self._home.check([*self.versions, version], self._options)
        return Entry(version, self._page.texts, self._candidate.texts, self._delay)


def _completed(program: Program, options: Options) -> Program:
    return Session(program, options).program if program.rules else Program()
