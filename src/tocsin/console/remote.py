"""The monitor of a service, talked to over the wire like one in this process.

Commands, and the scripts that they load from files here, go to the service as texts; firings come by its event stream,
in order and each once: a stream that breaks is taken up again behind the last one seen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from tocsin.algebra.rules import Declaration
from tocsin.console.connection import Away, NotDone, Service
from tocsin.errors import EventError, Fault, Place, RuleError, TocsinError, UsageError
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.jsonl import parse_record
from tocsin.formats.refused import Refused
from tocsin.monitor.commanded_rules import REMEMBERED, Reply
from tocsin.monitor.state import MonitorState
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import CONSOLE, load_scripts, loaded_scripts, read_text
from tocsin.time.calendar import parse_instant
from tocsin.time.clocks import Clock, WallClock

MONITOR: Final = "/v1/monitor"
GEM: Final = "gem"
"""The request under which the service tells what its monitor detects."""
AGAIN: Final = 1.0
"""Seconds after which a service that went away is asked again."""
CAUGHT_UP: Final = 20.0
"""Seconds that firings are waited for which the service has told of."""

Say = Callable[[str], None]


class RemoteMonitor:
    """The GEM monitor of a service. `say` is told when the service goes away and comes back."""

    def __init__(self, service: Service, say: Say) -> None:
        self._service, self._say = service, say
        self.clock: Clock | None = WallClock()
        """The service's goes by itself, too."""
        self.style = TimeStyle(False)
        self.listeners: list[Callable[[Detection], None]] = []
        self.warned: list[Callable[[str], None]] = []
        self.has_stopped = False
        self.declared: Mapping[str, Declaration] = {}
        self.rules: Iterable[str] = ()
        self._seen = 0
        """The number of the last detection that was told here."""
        self._is_open = False
        self._has_changed = threading.Condition()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    # -- beginning and end -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to listen; from now on every firing is told. Raises where the service does not let this be."""
        self._seen = self._show()["number"]
        self._thread.start()
        with self._has_changed:
            self._has_changed.wait_for(lambda: self._is_open, CAUGHT_UP)

    def close(self) -> None:
        """Listens no more."""
        self._stopping.set()
        self._service.close()
        if self._thread.is_alive():
            self._thread.join(AGAIN)

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _show(self) -> dict[str, Any]:
        shown: dict[str, Any] = self._service.call("GET", MONITOR)
        state = msgspec.convert(shown["state"], MonitorState)
        text = "\n".join(each.declaration for each in state.events)
        self.declared = load_scripts(text, CONSOLE, {}).declarations
        self.rules = tuple(each.name for each in state.rules)
        return shown

    def state(self) -> MonitorState:
        """What the service's monitor has to show."""
        shown = self._show()
        state: MonitorState = msgspec.convert(shown["state"], MonitorState)
        trouble = shown["trouble"]
        return replace(state, warnings=(*state.warnings, trouble)) if trouble else state

    @property
    def now(self) -> int | None:
        """The clock of the rules."""
        return self.state().now

    @property
    def recent(self) -> list[Detection]:
        """The last detections of the monitor that the service keeps."""
        return [self._detection(each) for each in self._newest(REMEMBERED)][::-1]

    def _newest(self, most: int) -> list[dict[str, Any]]:
        asked = {"request": GEM, "newest": "true", "limit": str(most)}
        found: list[dict[str, Any]] = self._service.call("GET", "/v1/detections", asked)["items"]
        return found

    # -- what is typed -----------------------------------------------------------------------------------------------

    def command(self, text: str, name: str = CONSOLE) -> Reply:
        """Does what a GEM text says, all of it or nothing; what it loads from files here goes along."""
        scripts = loaded_scripts(text, name, _local)
        body = {"text": text, "name": name, "scripts": scripts}
        try:
            done = self._service.call("POST", MONITOR, body=body)
        except NotDone as refused:
            raise _placed(refused, {**scripts, name: text}) from None
        self.has_stopped = done["stopped"]
        found = done["detections"]
        if found:
            self._catch_up(found[-1]["number"])
        self._show()
        return Reply(tuple(self._detection(each) for each in found), tuple(done["remarks"]))

    def load(self, paths: Sequence[str]) -> Reply:
        """Does what rules files here say, as if they were one."""
        for path in paths:
            if '"' in path or "\n" in path:
                raise UsageError(f"a script whose name has a quote in it cannot be loaded: {path}")
            read_text(Path(path))  # a file that is not there is told as ever, not by the service
        return self.command("\n".join(f'load "{path}"' for path in paths))

    def line(self, text: str) -> Sequence[Detection]:
        """Sends an event, and waits until what fires for it has been told."""
        try:
            record = parse_record(text)
            conform = conformer(self.declared)
            data = record.get("data")
            if conform is not None and isinstance(data, dict | None):
                conform(str(record.get("type")), data or {})
        except Refused as refused:
            raise _event_error(text, refused.reason) from None
        answer = self._service.call("POST", "/v1/events", body=msgspec.Raw(text.encode()))
        if answer["refused"]:
            raise _event_error(text, answer["refused"][0]["message"])
        self.settle()
        return ()

    def settle(self) -> None:
        """Waits until all that was sent has been evaluated, and what fired has been told."""
        self._service.call("POST", MONITOR, body={"text": ""})
        newest = self._newest(1)
        if newest:
            self._catch_up(newest[0]["number"])

    def advance(self, to: int) -> Sequence[Detection]:
        """The clock of a service goes by itself."""
        raise UsageError("the clock of a service goes by itself")

    # -- what fires --------------------------------------------------------------------------------------------------

    def _catch_up(self, number: int) -> None:
        with self._has_changed:
            self._has_changed.wait_for(lambda: self._seen >= number or not self._is_open, CAUGHT_UP)

    def _listen(self) -> None:
        is_away = False
        while not self._stopping.is_set():
            try:
                for one in self._service.detections({"request": GEM}, self._seen):
                    if not self._is_open:
                        if is_away:
                            self._say(f"the service is back: going on behind detection {self._seen}")
                        is_away = False
                        self._open(True)
                    if one is not None:
                        self._tell(*one)
                reason = "it ended the stream"
            except Away as error:
                reason = str(error)
            except TocsinError as error:
                self._open(False)
                self._say(f"tocsin: firings are not shown any more: {error}")
                return
            self._open(False)
            if not is_away and not self._stopping.is_set():
                self._say(f"the service is away: {reason}; it is asked again every second")
            is_away = True
            self._stopping.wait(AGAIN)

    def _open(self, is_open: bool) -> None:
        with self._has_changed:
            self._is_open = is_open
            self._has_changed.notify_all()

    def _tell(self, number: int, data: bytes) -> None:
        record = msgspec.json.decode(data)
        if record["type"] not in self.declared:
            self._show()  # somebody has declared it meanwhile
        one = self._detection(record)
        for listener in self.listeners:
            listener(one)
        with self._has_changed:
            self._seen = number
            self._has_changed.notify_all()

    def _detection(self, record: Mapping[str, Any]) -> Detection:
        """A detection as it was sent; its attributes are of the types that are declared."""
        data, conform = record["data"], conformer(self.declared)
        if conform is not None:
            with suppress(Refused):  # it was declared otherwise then
                data = conform(record["type"], data)
        return Detection(
            record["rule"],
            record["type"],
            parse_instant(record["start"]),
            parse_instant(record["time"]),
            parse_instant(record["detected"]),
            tuple(record["events"]),
            data,
            record.get("notification"),
            record.get("stamp"),
            record["id"],
            record.get("source", ""),
            record.get("severity"),
            tuple(record.get("tags", ())),
            record.get("suppressed", 0),
        )


def _local(name: str, written: str) -> str | None:
    """A script that is a file here; None leaves it to the service, which may know it by name."""
    path = Path(name)
    return read_text(path) if path.is_file() else None


def _placed(refused: NotDone, texts: Mapping[str, str]) -> TocsinError:
    """What the service says is wrong, shown in the texts that were sent."""
    if not any("line" in fault for fault in refused.faults):
        return refused
    faults = []
    for fault in refused.faults:
        name, line, column = fault.get("key", CONSOLE), fault.get("line", 1), fault.get("column", 1)
        lines = texts.get(name, "").split("\n")
        source = lines[line - 1] if 0 < line <= len(lines) else ""
        place = Place(name, line, column, source, fault.get("end", column + 1) - column)
        faults.append(Fault(fault["message"], None, fault.get("expected", ""), fault.get("hint", ""), place=place))
    return RuleError(faults)


def _event_error(text: str, reason: str) -> EventError:
    return EventError(Fault(reason, place=Place(CONSOLE, 1, 1, text)))
