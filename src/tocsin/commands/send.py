"""`tocsin send`: events to an event processing service, by a sensor."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from threading import Event as Signal
from typing import Final

from tocsin.commands.shared_options import say
from tocsin.errors import UsageError
from tocsin.events import stable_id
from tocsin.formats import Arrivals, Fields, InputClock, Quarantine, read_events
from tocsin.formats.fields import columns_of
from tocsin.formats.intake import NOTHING
from tocsin.progress import Progress
from tocsin.sensor import Refusal, Sensor, SensorClosed, Trouble
from tocsin.sensor.counts import Stats
from tocsin.sensor.settings import Given, span_of
from tocsin.time.spans import SECOND

EXAMPLES = """\
examples:
  tocsin send events.jsonl --url http://127.0.0.1:8750 --key tk_... --source door-3
  tocsin send --type login --source web user=bob attempts=3      # TOCSIN_URL and TOCSIN_KEY are set
  tail -f log.jsonl | tocsin send - --source log --buffer /var/lib/sensor --heartbeat "10 sec"
  tocsin send *.csv --columns type=event,time=Date+Time --source archive

exit codes: 0 every event was taken, or had been taken before; 1 some were refused, or could not be sent
"""
_ONCE: Final = ""
"""A heartbeat behind all events, and no others."""
_REFUSALS: Final = 10
"""Refusals that are shown one by one."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `send`."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="FILE|NAME=VALUE",
        help="events in order, - is standard input; with --type the attributes of one event",
    )
    parser.add_argument("--type", metavar="TYPE", help="send one event of this type, with NAME=VALUE attributes")
    parser.add_argument("--time", metavar="TIME", help="when that event was; default: now, by the service's clock")
    parser.add_argument("--id", metavar="ID", help="the id of that event; default: one that nothing else has")
    parser.add_argument("--url", metavar="URL", help="the service; default: TOCSIN_URL")
    parser.add_argument("--key", metavar="KEY", help="the key; default: TOCSIN_KEY, which no list of processes shows")
    parser.add_argument("--source", metavar="S", default="", help="the source of events that name none")
    parser.add_argument("--buffer", metavar="DIR", help="keep what waits in DIR, and send what is left there first")
    parser.add_argument(
        "--heartbeat",
        nargs="?",
        const=_ONCE,
        metavar="SPAN",
        help="a heartbeat of the source behind all events; with SPAN also that often until then",
    )
    parser.add_argument("--wait", default="30 sec", metavar="SPAN", help="how long to try while nothing can be sent")
    parser.add_argument(
        "--batch", type=int, default=500, metavar="N", help="events of a request, at most; default: 500"
    )
    parser.add_argument("--input-format", metavar="NAME", help="jsonl, csv, parquet or gem; default: by extension")
    parser.add_argument("--columns", action="append", metavar="FIELD=NAME,...", help="names of fields: time=@timestamp")
    parser.add_argument(
        "--time-format", metavar="F", help="the format of times: '%%d/%%m/%%Y %%H:%%M:%%S', or epoch-ms"
    )
    parser.add_argument("--zone", metavar="Z", help="the time zone of times without one; default: UTC")
    parser.add_argument("--on-error", choices=("refuse", "skip"), default="refuse", help="how to treat a bad line")
    parser.add_argument("--quarantine", metavar="FILE", help="write skipped lines to FILE, with the reason")


def run(options: argparse.Namespace) -> int:
    """Sends, and says what became of the events."""
    outcome = _Outcome(span_of(options.wait, "--wait") / SECOND)
    sensor = _sensor(options, outcome)
    outcome.sensor = sensor
    events: Arrivals | None = None
    try:
        if options.type is not None:
            time = None if options.time is None else _value(options.time)
            sensor.send(options.type, _attributes(options.words), time=time, id=options.id)
        else:
            events = _sent(options, sensor)
        if options.heartbeat is not None:
            sensor.heartbeat()
        sensor.flush()
    except SensorClosed:
        pass  # nothing could be sent for too long: the outcome knows why
    finally:
        sensor.close(timeout=min(5.0, outcome.patience) if outcome.gave_up is None else 0)
    return _told(sensor.stats, outcome, options, events)


class _Outcome:
    """What the thread that sends has to say, and whether it is to go on."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.sensor: Sensor | None = None
        self.gave_up: Trouble | None = None
        self._refusals = 0
        self._is_told = Signal()

    def refused(self, refusal: Refusal) -> None:
        self._refusals += 1
        if self._refusals <= _REFUSALS:
            say(f"refused: event {refusal.event.get('id')}: {refusal.message} ({refusal.code})")
        elif self._refusals == _REFUSALS + 1:
            say("further refusals are counted only")

    def trouble(self, trouble: Trouble) -> None:
        """Gives up where somebody has to do something first, or nothing could be sent for too long."""
        if not self._is_told.is_set() and not trouble.is_barred:
            self._is_told.set()
            say(f"{trouble.reason}; trying again for {self.patience:g} s")
        if (trouble.is_barred or trouble.seconds >= self.patience) and self.sensor is not None:
            self.gave_up = trouble
            self.sensor.close(timeout=0)


def _sensor(options: argparse.Namespace, outcome: _Outcome) -> Sensor:
    given: Given = {"when_full": "wait", "batch": options.batch, "longest_pause": min(5.0, outcome.patience / 4 or 1)}
    if options.type is None or options.time is not None:
        given["stamps"] = "local"  # every event has its time; nobody asks for the service's
    if options.heartbeat:
        given["heartbeat"] = options.heartbeat
    if options.heartbeat is not None:
        given["stamps"] = "interval"
    if options.buffer is not None:
        given["buffer"] = options.buffer
    return Sensor(
        options.url, options.source, options.key, on_refused=outcome.refused, on_trouble=outcome.trouble, **given
    )


def _sent(options: argparse.Namespace, sensor: Sensor) -> Arrivals | None:
    """Sends the events of files, as they were made."""
    if not options.words:
        if options.heartbeat is None and options.buffer is None:
            raise UsageError("nothing to send: name files of events, or - for standard input, or give --type TYPE")
        return None
    with ExitStack() as stack:
        events = _events(options, stack)
        progress = stack.enter_context(Progress(None))
        for each in progress.events(events):
            sensor.report(each)
    return events


def _events(options: argparse.Namespace, stack: ExitStack) -> Arrivals:
    on_bad = None
    if options.quarantine is not None:
        if options.on_error != "skip":
            raise UsageError("--quarantine goes with --on-error skip")
        quarantine = stack.enter_context(Quarantine(options.quarantine, options.words[0]))

        def on_bad(line: int, text: str, reason: str) -> None:
            quarantine.file = events.file
            quarantine.add(line, text, reason)

    events = read_events(
        options.words,
        options.input_format,
        options.on_error,
        on_bad,
        remember=NOTHING,  # the service knows which events it has
        fields=Fields(columns_of(options.columns)),
        clock=InputClock(options.time_format, options.zone),
        naming=_name_of,
    )
    return events


def _name_of(number: int, record: Mapping[str, object]) -> str:
    """The id of an event that has none, by its line and what it holds: sent again it is a repeat; another is not."""
    return stable_id(number, dict(record))


def _attributes(words: list[str]) -> dict[str, object]:
    """`user=bob attempts=3 ok=true` as attributes."""
    found: dict[str, object] = {}
    for word in words:
        name, is_there, value = word.partition("=")
        if not is_there or not name:
            raise UsageError(f"{word!r}: with --type, what follows are attributes as user=bob; files go without --type")
        found[name] = _value(value)
    return found


def _value(text: str) -> object:
    """What is JSON is that, all else is text."""
    try:
        return json.loads(text, parse_constant=str)
    except ValueError:
        return text


def _told(stats: Stats, outcome: _Outcome, options: argparse.Namespace, events: Arrivals | None) -> int:
    """Says what became of the events; the exit code."""
    left = stats.waiting
    if outcome.gave_up is not None:
        print(f"tocsin: gave up: {outcome.gave_up.reason}", file=sys.stderr)
    if events is not None and events.skipped:
        say(f"{events.skipped} bad line{'s' * (events.skipped > 1)} skipped")
    parts = [f"{stats.accepted:,} taken"]
    if stats.duplicates:
        parts.append(f"{stats.duplicates:,} were there already")
    if stats.refused:
        parts.append(f"{stats.refused:,} refused")
    if left:
        parts.append(f"{left:,} not sent")
    say(f"{stats.sent:,} line{'s' * (stats.sent != 1)} read: {', '.join(parts)}")
    if left and options.buffer is not None:
        say(f"what was not sent waits in {options.buffer}: the next `tocsin send --buffer {options.buffer}` sends it")
    elif left:
        say("send them again: what was taken counts once")
    return 1 if left or stats.refused or outcome.gave_up is not None else 0
