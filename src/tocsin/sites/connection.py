"""The sites from Python: register a type, create an event, publish it, subscribe (001 section 4.2).

    with tc.sites.connect("nats://127.0.0.1:4222", name="door-7") as sites:
        opened = sites.register("opened", {"user": str})
        sites.publish(opened(user="bob"))
        with sites.subscribe(tc.rule("twice", "opened ; opened", window="1 min")) as twice:
            for found in twice: ...

Whoever is connected is at no site. What is published counts as born at one of them; a subscription creates detectors
there, or takes those that run. Threads may share a connection.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import MappingProxyType, TracebackType
from typing import Final, Self
from uuid import uuid4

from tocsin.algebra.checks import check
from tocsin.api import Rules, Span, options_given, program_of
from tocsin.errors import TocsinError, UsageError, choices, nearest
from tocsin.events import Detection, Event
from tocsin.formats.instants import to_instant
from tocsin.formats.refused import Refused
from tocsin.runtime.options import completed
from tocsin.sites.shell.guest import Guest, attached
from tocsin.sites.shell.publication import Publication, late_line, site_for
from tocsin.sites.shell.requests import Request
from tocsin.sites.shell.subscription import Subscription
from tocsin.sites.shell.topics import broker_of, site_name
from tocsin.sites.site import Told
from tocsin.time.calendar import render_instant

_TURN: Final = 0.05
"""Seconds after which a thread looks whether it is to end."""
_NO_ATTRIBUTES: Final[Mapping[str, type]] = MappingProxyType({})


@dataclass(frozen=True)
class EventType:
    """A type of events that was registered: called, it makes an event of it."""

    name: str
    attributes: Mapping[str, type] = field(default_factory=dict)
    """The types of its attributes; none at all: any."""

    def __call__(self, /, **attributes: object) -> Event:
        """An event of this type, which has not happened yet."""
        for name, value in attributes.items():
            wanted = self.attributes.get(name)
            if self.attributes and wanted is None:
                hint = nearest(name, list(self.attributes))
                known = choices(list(self.attributes), "and")
                raise UsageError(f"'{self.name}' has no attribute '{name}': it has {known}{hint and f'; {hint}'}")
            if wanted is not None and value is not None and not isinstance(value, wanted):
                raise UsageError(f"'{self.name}.{name}' is {value!r}: it was registered as {wanted.__name__}")
        return Event(self.name, 0, 0, data=attributes)


class Subscribed:
    """A subscription: its detections, as they are told. Iteration ends when it is closed."""

    def __init__(self, subscription: Subscription, listener: Callable[[Detection], None] | None) -> None:
        self._subscription, self._listener = subscription, listener
        self._found: SimpleQueue[Detection | None] = SimpleQueue()
        self._is_told, self._is_closed = threading.Event(), threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="tocsin-subscription", daemon=True)

    def hear(self, told: Sequence[Told]) -> None:
        """Detections are told, in the subscription's thread."""
        for each in told:
            if self._listener is not None:
                self._listener(each.detection)
            else:
                self._found.put(each.detection)

    def begin(self) -> None:
        """Lets its thread run."""
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._is_closed.is_set():
                self._subscription.turn(_TURN)
                if not self._is_told.is_set() and self._subscription.is_told:
                    self._is_told.set()
            self._subscription.close()
        except BaseException as error:  # noqa: BLE001 - whoever asks next is told
            self._failure = error
        finally:
            self._is_told.set()
            self._found.put(None)

    def ready(self, seconds: float = 30.0) -> bool:
        """Waits until detectors run and their detections come; False if there is no source for a rule so long."""
        is_told = self._is_told.wait(seconds)
        self._raise()
        return is_told

    def get(self, seconds: float | None = None) -> Detection | None:
        """The next detection; None if there is none for so long, or never any more."""
        self._raise()
        try:
            found = self._found.get(timeout=seconds)
        except Empty:
            return None
        if found is None:
            self._found.put(None)
            self._raise()
        return found

    def __iter__(self) -> Iterator[Detection]:
        while (found := self.get()) is not None:
            yield found

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Subscribes no more; detectors that nobody else uses are destroyed."""
        self._is_closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Connection:
    """Somebody who publishes events and subscribes, at no site."""

    def __init__(self, url: str, name: str | None, site: str | None, timed: bool) -> None:
        self._url, self.name = url, site_name(name or f"client-{uuid4().hex[:8]}")
        self.notes: list[str] = []
        """What a person should know: a broker that has gone, events that were sent back."""
        self.is_timed = timed
        self._types: dict[str, EventType] = {}
        self._work: deque[Callable[[], None]] = deque()
        self._subscribed: list[Subscribed] = []
        self._late = 0
        self._failure: TocsinError | None = None
        self._is_closed = threading.Event()
        guest = attached(url, "client", say=self.notes.append)
        try:
            self.site = site_for(guest, self.name, site)
        except BaseException:
            guest.close()
            raise
        self._publication = Publication(guest, self.site)
        self._last = 0
        self._thread = threading.Thread(target=self._run, args=(guest,), name="tocsin-sites", daemon=True)
        self._thread.start()

    # -- publishing --------------------------------------------------------------------------------------------------

    def register(self, name: str, attributes: Mapping[str, type] = _NO_ATTRIBUTES) -> EventType:
        """A type that is to be published here. It returns once the rules that are there listen."""
        known = self._types.get(name)
        if known is not None and known.attributes == dict(attributes):
            return known
        if known is not None:
            raise UsageError(f"'{name}' is registered already, with other attributes")
        made = self._types[name] = EventType(name, dict(attributes))
        names = list(self._types)
        self._done(lambda: self._publication.announce(self.name, names, is_stamped=not self.is_timed))
        return made

    def publish(self, event: Event, *, time: object = None, id: str | None = None) -> str:
        """Publishes an event, and gives its id. It happens now by its site's clock; or, if we are timed, at `time`."""
        if event.type not in self._types:
            hint = nearest(event.type, list(self._types))
            raise UsageError(f"no type '{event.type}' is registered here{hint and f'; {hint}'}")
        if time is not None and not self.is_timed:
            raise UsageError("events get their times at their site: connect(..., timed=True) publishes times")
        name = id or event.id or uuid4().hex
        end = self._time_of(time) if self.is_timed else 0
        made = Event(event.type, end, end, name, self.name, event.data, end)
        self._do(lambda: self._publication.report(made, is_timed=self.is_timed))
        return name

    def beat(self, time: object = None) -> None:
        """We have got to a time without an event: rules that wait for us go on."""
        if not self.is_timed:
            raise UsageError("we go by the clock of our site: connect(..., timed=True) publishes times")
        at = self._time_of(time)
        self._do(lambda: self._publication.beat(self.name, at))

    def end(self) -> None:
        """Nothing more is ever to come from us."""
        self._done(lambda: self._publication.finish(ends=True))

    def flush(self) -> None:
        """Waits until everything that was published is safe at its site."""
        self._done(self._publication.settle)

    def _time_of(self, time: object) -> int:
        if time is None:
            self._last = max(self._last + 1, self._publication.now())
            return self._last
        try:
            return to_instant(time, "time")
        except Refused as refused:
            raise UsageError(f"{refused.reason}, expected {refused.expected}") from None

    # -- subscribing -------------------------------------------------------------------------------------------------

    def subscribe(
        self,
        rules: Rules,
        listener: Callable[[Detection], None] | None = None,
        *,
        policy: str | None = None,
        context: str | None = None,
        window: Span | None = None,
        time_model: str = "point",
    ) -> Subscribed:
        """Subscribes to rules: to what happens from then on. With a `listener` that is called, in a thread of its own.

        `policy` says where detectors run (`docs/sites.md`).
        """
        options = options_given(context, "guaranteed", window, time_model, None, "accept", False)
        program = completed(program_of(rules), options)
        check(program)
        made: list[Subscribed] = []
        subscription = Subscription(broker_of(self._url), hears=lambda told: made[0].hear(told), say=self.notes.append)
        made.append(Subscribed(subscription, listener))
        subscription.add("python", Request(program, policy, options.granularity))
        self._subscribed.append(made[0])
        made[0].begin()
        return made[0]

    # -- the thread that sends ---------------------------------------------------------------------------------------

    def _do(self, step: Callable[[], None]) -> None:
        self._raise()
        self._work.append(step)
        self._publication.guest.network.wake()

    def _done(self, step: Callable[[], None]) -> None:
        """Does something in the thread, and waits for it."""
        future: Future[None] = Future()

        def run() -> None:
            try:
                step()
                future.set_result(None)
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                future.set_exception(error)

        self._do(run)
        future.result()

    def _run(self, guest: Guest) -> None:
        while not self._is_closed.is_set() or self._work:
            try:
                while self._work:
                    self._work.popleft()()
                self._publication.pump(_TURN)
                self._note_late()
            except TocsinError as error:
                self._failure = error
        guest.close()

    def _note_late(self) -> None:
        late = self._publication.late
        for message in late[self._late :]:
            self.notes.append(late_line(message, render_instant))
        self._late = len(late)

    def _raise(self) -> None:
        if self._is_closed.is_set():
            raise UsageError("this connection is closed")
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def close(self) -> None:
        """Ends subscriptions, and leaves once everything that was published is safe."""
        if self._is_closed.is_set():
            return
        for each in self._subscribed:
            each.close()
        try:
            self.flush()
        finally:
            self._is_closed.set()
            self._publication.guest.network.wake()
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def connect(url: str, *, name: str | None = None, site: str | None = None, timed: bool = False) -> Connection:
    """Connects to the sites at a broker. `name`: the source that we are; `site`: where our events are born.

    `timed`: our events come with times of our own clock, and rules wait for what we say; else they get interval stamps
    from the clock of their site.
    """
    return Connection(url, name, site, timed)
