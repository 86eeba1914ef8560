"""Events that come while somebody types: of a file, of a pipe, of a directory whose files grow.

They are taken in the order in which they stand. What is bad is skipped and said. Whoever reads does so on a thread of
its own, and gives events to the monitor one at a time, so that what is typed comes between two of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from tocsin.errors import EventError, Fault, Place, TocsinError, UsageError, draw
from tocsin.events import Arrival
from tocsin.formats import format_of
from tocsin.formats.intake import Intake
from tocsin.monitor.monitor import Monitor
from tocsin.time.clocks import Clock
from tocsin.time.spans import SECOND

Say = Callable[[str], None]

GLANCE = 0.2
"""Seconds between two looks at a directory whose files may have grown."""
SUFFIXES = (".jsonl", ".ndjson", ".json", ".gem", ".report", ".txt")
"""Files whose lines are events, each by itself."""


class Feed:
    """The events of files, one after the other, for those who ask for them."""

    def __init__(self, paths: Sequence[str], monitor: Monitor, say: Say, format: str | None = None) -> None:
        self.path, self._monitor, self._say = ", ".join(paths), monitor, say
        self.taken = 0
        self._intake = Intake(paths[0], "skip", self._bad, style=monitor.style, conform=monitor.conform)
        self._intake.declared = monitor.attributes
        self._streams = [(path, format_of(path, format), _opened(path)) for path in paths]
        self._arrivals = self._read()
        self._ahead: Arrival | None = None

    def _read(self) -> Iterator[Arrival]:
        for place, (path, format, stream) in enumerate(self._streams):
            if place:
                self._intake.begin(path)
            yield from format.read(stream, self._intake)

    def _bad(self, number: int, text: str, reason: str) -> None:
        self._monitor.counts.refused += 1
        self._say(draw(Fault(reason, place=Place(self._intake.file, number, 1, text))))

    def first(self) -> Arrival | None:
        """The first event, which is then still to be taken."""
        if self._ahead is None:
            self._ahead = next(self._arrivals, None)
        return self._ahead

    def arrivals(self) -> Iterator[Arrival]:
        """Those that are left."""
        while (one := self._one()) is not None:
            yield one

    def _one(self) -> Arrival | None:
        one, self._ahead = self._ahead, None
        if one is None and (one := next(self._arrivals, None)) is None:
            self.close()
        return one

    def some(self, most: int | None) -> int:
        """Takes so many, or all that are left; how many there were."""
        taken = 0
        while (most is None or taken < most) and (one := self._one()) is not None:
            self._monitor.take(one)
            taken += 1
        self.taken += taken
        return taken

    def play(self, clock: Clock | None, stopping: threading.Event) -> None:
        """Takes all that are left: at once, or each when the clock says that it comes."""
        for one in self.arrivals():
            if clock is not None:
                while (left := one.arrival - clock.now()) > 0 and not stopping.wait(left / SECOND):
                    pass
            if stopping.is_set():
                return
            self._monitor.take(one)
            self.taken += 1
        self._say(f"{self.path}: {self.taken} event{'s' * (self.taken != 1)} taken; that was the last")

    def close(self) -> None:
        """Closes the files."""
        for _, _, stream in self._streams:
            stream.close()


def _opened(path: str) -> IO[Any]:
    try:
        return open(path, "rb")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def take_lines(lines: Iterable[str], name: str, monitor: Monitor, say: Say, stopping: threading.Event) -> None:
    """Takes an event a line, as they come."""
    for number, text in enumerate(lines, 1):
        if stopping.is_set():
            return
        if text.strip():
            take_line(text.rstrip("\r\n"), name, number, monitor, say)


def take_line(text: str, name: str, number: int, monitor: Monitor, say: Say) -> None:
    """Takes the event on a line; a bad one is said."""
    try:
        monitor.line(text, name, number)
    except EventError as error:
        say(str(error))


class Tail:
    """A directory whose files grow: the lines that are added, file by file in order of name.

    A line counts when its end is there. A file that becomes shorter is read from its start again.
    """

    def __init__(self, folder: Path, monitor: Monitor, say: Say) -> None:
        self._folder, self._monitor, self._say = folder, monitor, say
        self._read: dict[Path, tuple[int, int]] = {}
        """How far each file is read: bytes and lines."""

    def glance(self) -> int:
        """Takes what was added since the last look; how many lines."""
        taken = 0
        for path in sorted(self._folder.iterdir()):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                taken += self._take(path)
        return taken

    def _take(self, path: Path) -> int:
        at, number = self._read.get(path, (0, 0))
        if path.stat().st_size < at:
            at = number = 0
        taken = 0
        with path.open("rb") as file:
            file.seek(at)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                at, number, taken = at + len(line), number + 1, taken + 1
                text = line.decode("utf-8", "replace").rstrip("\r\n")
                if text.strip():
                    take_line(text, str(path), number, self._monitor, self._say)
        self._read[path] = at, number
        return taken

    def follow(self, stopping: threading.Event) -> None:
        """Looks again and again. What is there when it begins counts as added."""
        while not stopping.is_set():
            try:
                self.glance()
            except OSError as error:
                self._say(f"tocsin: {error.filename}: {error.strerror}")
            stopping.wait(GLANCE)


def keep_time(monitor: Monitor, stopping: threading.Event) -> None:
    """Lets the rules know what time it is, whenever one of them waits for it."""
    while not stopping.is_set():
        monitor.wait()
        if not stopping.is_set():
            monitor.tick()


class Threads:
    """What goes on beside the prompt; what fails there is said, not lost."""

    def __init__(self, say: Say) -> None:
        self.stopping = threading.Event()
        self._say = say
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[], None], *, is_awaited: bool = False) -> None:
        """Starts something that ends by itself (`is_awaited`) or when it is told to stop."""

        def guarded() -> None:
            try:
                work()
            except TocsinError as error:
                self._say(f"tocsin: {error}")
            except OSError as error:
                self._say(f"tocsin: {error.strerror or error}")

        thread = threading.Thread(target=guarded, daemon=True)
        if is_awaited:
            self._threads.append(thread)
        thread.start()

    def wait(self) -> None:
        """Waits for what ends by itself."""
        for thread in self._threads:
            thread.join()
