"""`tocsin publish`: events at a site of a deployment."""

from __future__ import annotations

import argparse
import queue
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Final
from uuid import uuid4

from tocsin.commands.shared_options import interrupts, say
from tocsin.commands.site_options import add_broker
from tocsin.errors import TocsinError, UsageError, choices
from tocsin.events import Arrival, Event, stable_id
from tocsin.formats import FORMATS, Arrivals, Fields, InputClock, read_events
from tocsin.formats.fields import columns_of
from tocsin.formats.instants import Instant
from tocsin.formats.intake import Intake
from tocsin.rules.options import period_of
from tocsin.sites.shell.bridges import Inlet
from tocsin.sites.shell.guest import attached
from tocsin.sites.shell.publication import Publication, late_line, site_for
from tocsin.time.gregorian import FIRST_INSTANT
from tocsin.time.spans import HOUR
from tocsin.transports import SOURCE, address_of, is_address

EXAMPLES = """\
examples:
  tocsin publish --broker nats://127.0.0.1:4222 --source s1 events.jsonl
  tocsin publish --broker nats://127.0.0.1:4222 --source s1 --site A --end events.csv
  tocsin publish --broker nats://127.0.0.1:4222 --source spark --types burst --lateness "1 min" nats://127.0.0.1/found
  echo '{"type": "door", "room": 7}' | tocsin publish --broker mqtt://127.0.0.1 --source s1 -

It ends when every event is safe at the site. An event without a time happens when the site hears of it. A source that
publishes times is waited for by rules: it has got as far as its last event, or with --end as far as ever.
"""
NOW: Final = FIRST_INSTANT
"""In place of the time of an event that has none."""
_LOOK: Final = 0.02
_SHOWN: Final = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `publish`."""
    add_broker(parser)
    parser.add_argument("--source", default="", metavar="S", help="the source of events that name none")
    parser.add_argument(
        "--site", metavar="NAME", help="where to publish; default: the site that has the source, or one of those heard"
    )
    parser.add_argument("events", nargs="+", metavar="EVENTS", help="files of events; - is standard input; or one URL")
    parser.add_argument("--input-format", metavar="NAME", help=f"{choices(sorted(FORMATS))}; default: by extension")
    parser.add_argument("--columns", action="append", metavar="FIELD=NAME,...", help="what fields are called there")
    parser.add_argument("--time-format", metavar="F", help="the format of times, as `tocsin detect` takes it")
    parser.add_argument("--zone", metavar="Z", help="the time zone of times without one; default: UTC")
    parser.add_argument("--on-error", choices=("refuse", "skip"), default="refuse", help="how to treat a bad event")
    parser.add_argument("--types", metavar="TYPE,...", help="the types that may come from standard input; default: any")
    parser.add_argument(
        "--heartbeat",
        metavar="SPAN",
        help="while nothing comes, tell that time goes on, so far behind the clock: events come that late at most",
    )
    parser.add_argument(
        "--lateness", default="0 s", metavar="SPAN", help="of a URL: so much out of order, and put in order"
    )
    parser.add_argument("--end", action="store_true", help="nothing more is ever to come from the sources")
    parser.add_argument("--patience", default="2 min", metavar="SPAN", help="how long a silent site is waited for")


def run(options: argparse.Namespace) -> int:
    """Publishes; exit 1 if an event was sent back."""
    lag = None if options.heartbeat is None else _length(options.heartbeat, "the heartbeat")
    patience = _length(options.patience, "the patience") / 1e6
    known = _types(options)
    if is_address(options.events[0]):
        return _bridge(options, lag, patience)
    with attached(options.broker, "publisher", say=say) as guest:
        site = site_for(guest, options.source, options.site)
        publication = Publication(guest, site, patience)
        events = _read(options)
        for source, types in known.items():
            is_stamped = _STAMPED in types
            in_seconds = None if is_stamped else _SECONDS in types
            types -= {_STAMPED, _SECONDS}
            publication.announce(source, types, is_stamped=is_stamped, in_seconds=in_seconds)
            _say_unheard(publication)
        _publish(events, publication, options, lag)
        publication.finish(ends=options.end)
        guest.wait(lambda: False, _LOOK)
        return _told(publication, site, events)


def _bridge(options: argparse.Namespace, lag: int | None, patience: float) -> int:
    """Publishes what comes to a topic, until somebody stops it."""
    if len(options.events) > 1:
        raise UsageError("one address is followed at a time")
    if not options.source:
        raise UsageError("events of an address need a source for those that name none: say --source S")
    address = address_of(options.events[0], SOURCE)
    intake = Intake(
        str(address),
        options.on_error,
        remember=HOUR,
        fields=Fields(columns_of(options.columns)),
        clock=InputClock(options.time_format, options.zone),
    )
    types = None if options.types is None else options.types.split(",")
    with interrupts() as is_stopped, attached(options.broker, "publisher", say=say) as guest:
        site = site_for(guest, options.source, options.site)
        publication = Publication(guest, site, patience)
        lateness = _length(options.lateness, "the lateness")
        Inlet(address, publication, intake, options.source, types, lateness=lateness, lag=lag).run(is_stopped)
        for each in publication.late[:_SHOWN]:
            say(late_line(each, intake.style.text))
        print(f"{publication.count:,} events published at site '{site}'", file=sys.stderr)
        return 1 if publication.late else 0


_STAMPED, _SECONDS = "\0stamped", "\0seconds"
"""Among the types of a source: that its events have no times; that these are numbers."""


def _length(text: str, what: str) -> int:
    length = period_of(text, what).length()
    if length < 0:
        raise UsageError(f"{what} cannot be '{text}'")
    return length


class _Untimed(Fields):
    """Fields of events that may have no time."""

    def record(self, given: Mapping[str, object]) -> Mapping[str, object]:
        found = super().record(given)
        return found if found.get("time") is not None else {**found, "time": Instant(NOW)}


def _read(options: argparse.Namespace) -> Arrivals:
    return read_events(
        options.events,
        options.input_format,
        options.on_error,
        fields=_Untimed(columns_of(options.columns)),
        clock=InputClock(options.time_format, options.zone),
        naming=_name_of,
    )


def _name_of(number: int, record: Mapping[str, object]) -> str:
    """The id of an event that has none: published again it is a repeat, unless it says nothing of when it happened."""
    return uuid4().hex[:24] if record["time"] == NOW else stable_id(number, dict(record))


def _types(options: argparse.Namespace) -> dict[str, set[str]]:
    """What the sources of files make: they are read beforehand, so that a bad line is found before any is sent."""
    if "-" in options.events:
        return {}
    found: dict[str, set[str]] = {}
    events = _read(options)
    for each in events:
        if isinstance(each, Event):
            types = found.setdefault(each.source or options.source, set())
            types.add(each.type)
            if each.end == NOW:
                types.add(_STAMPED)
    for source, types in found.items():
        if events.style.seconds:
            types.add(_SECONDS)
        if not source:
            raise UsageError("these events name no source: say --source S")
    return found


def _publish(events: Arrivals, publication: Publication, options: argparse.Namespace, lag: int | None) -> None:
    """Reports every event. While nothing comes from standard input, time may go on."""
    declared = None if options.types is None else options.types.split(",")
    for each in _paced(events, publication, options, lag):
        source = each.source or options.source
        if not source:
            raise UsageError("these events name no source: say --source S")
        if not isinstance(each, Event):
            if source in publication.sources:
                publication.beat(source, each.time)
            continue
        is_timed = each.end != NOW
        if source not in publication.sources:
            in_seconds = events.style.seconds if is_timed else None
            publication.announce(source, declared, is_stamped=not is_timed, in_seconds=in_seconds)
            _say_unheard(publication)
        event = Event(each.type, each.end, each.start, each.id, source, each.data)
        publication.report(event, is_timed=is_timed)


def _paced(
    events: Arrivals, publication: Publication, options: argparse.Namespace, lag: int | None
) -> Iterator[Arrival]:
    """The events as they come. Those of standard input are read beside, so that what is sent meanwhile is answered."""
    if "-" not in options.events:
        yield from events
        return
    came: queue.SimpleQueue[Arrival | TocsinError | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            for each in events:
                came.put(each)
                publication.guest.network.wake()
            came.put(None)
        except TocsinError as error:
            came.put(error)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            one = came.get_nowait()
        except queue.Empty:
            publication.pump(_LOOK)
            if lag is not None:
                now = publication.now() - lag
                for source in publication.sources:
                    publication.beat(source, now)
            continue
        if one is None:
            return
        if isinstance(one, TocsinError):
            raise one
        yield one


def _say_unheard(publication: Publication) -> None:
    if publication.unheard:
        names = ", ".join(publication.unheard)
        say(f"rules of {names} do not hear of the source yet; what they miss is not detected")


def _told(publication: Publication, site: str, events: Arrivals) -> int:
    late = {(each["event"][1], each["event"][2]): each for each in publication.late}
    for each in list(late.values())[:_SHOWN]:
        say(late_line(each, events.style.text))
    if len(late) > _SHOWN:
        say(f"... and {len(late) - _SHOWN:,} more were sent back")
    if events.skipped:
        say(f"{events.skipped} bad event{'s' * (events.skipped > 1)} skipped")
    count = publication.count
    print(f"{count:,} event{'s' * (count != 1)} published at site '{site}'", file=sys.stderr)
    return 1 if late else 0
