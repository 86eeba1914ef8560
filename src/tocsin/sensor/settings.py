"""How a sensor is set up: what its caller may give, and what is used where nothing is given."""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, TypedDict, TypeVar

from tocsin.errors import RuleError, UsageError, choices
from tocsin.sensor.stamps import Stamps
from tocsin.time.spans import SECOND, parse_period

Span = str | int | float
"""A length of time: `"5 min"`, or seconds."""


class WhenFull(Enum):
    """What becomes of an event for which there is no room."""

    REFUSE = "refuse"
    """`send` raises `BufferFull`."""
    DROP = "drop"
    """The oldest that wait are given up, and counted as lost."""
    WAIT = "wait"
    """`send` waits until there is room."""


Word = TypeVar("Word", bound=Enum)

ALWAYS: Final = 0
NEVER: Final = -1
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(kB|KB|MB|GB|B)?", re.ASCII)
_UNITS: Final = {None: 1, "B": 1, "kB": 1_000, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000}
_LEAST: Final = 1_000


class Given(TypedDict, total=False):
    """What may be given by name where a sensor is made; `Settings` says what each means."""

    buffer: str | os.PathLike[str]
    capacity: str | int
    sync: Span
    when_full: str
    dead_letters: str | os.PathLike[str]
    batch: int
    batch_size: str | int
    linger: Span
    timeout: Span
    longest_pause: Span
    stamps: str
    drift: int
    probe: Span
    trust: Span
    heartbeat: Span
    tls: ssl.SSLContext
    background: bool


@dataclass(frozen=True)
class Settings:
    """How a sensor works. Lengths of time are in microseconds."""

    buffer: Path | None = None
    """The directory in which events wait; in memory if there is none."""
    capacity: int = 64_000_000
    """Bytes of events that may wait."""
    sync: int = SECOND
    """How soon what is in the buffer outlasts a loss of power; `always`: before `send` returns; or `never`."""
    when_full: WhenFull = WhenFull.REFUSE
    dead_letters: Path | None = None
    """The file for events that the service refuses; `dead-letters.jsonl` in the buffer if there is one."""
    batch: int = 500
    """Events of a request, at most."""
    batch_size: int = 1_000_000
    """Bytes of a request, at most; one event may have more."""
    linger: int = SECOND // 20
    """How long an event waits for others to travel with."""
    timeout: int = 10 * SECOND
    """How long an answer is waited for."""
    longest_pause: int = 30 * SECOND
    """The longest pause between two attempts, if the service does not ask for a longer one."""
    stamps: Stamps = Stamps.INTERVAL
    drift: int = 200
    """By how many microseconds a second this machine's counter and the service's clock may differ."""
    probe: int = 60 * SECOND
    """How often the service is asked for its time."""
    trust: int = SECOND
    """By how much this machine's clock may be wrong, which is what stamps go by until the service has told its time."""
    heartbeat: int | None = None
    """How often a heartbeat is sent."""
    tls: ssl.SSLContext | None = None
    background: bool = True
    """Whether threads do the work; without them whoever has the sensor calls `turn`."""


def settings_of(given: Given) -> Settings:
    """The settings that somebody gives, checked; what is not given is as it usually is."""
    usual = Settings()
    unknown = [name for name in given if name not in Given.__annotations__]
    if unknown:
        raise TypeError(
            f"a sensor has no setting {choices(unknown, 'and')}: it has {choices(list(Given.__annotations__))}"
        )
    buffer = None if given.get("buffer") is None else Path(given["buffer"])
    dead = given.get("dead_letters", None if buffer is None else buffer / "dead-letters.jsonl")
    heartbeat = given.get("heartbeat")
    return Settings(
        buffer,
        _size(given, "capacity", usual.capacity),
        _sync(given.get("sync"), usual.sync),
        _word(given, "when_full", usual.when_full),
        None if dead is None else Path(dead),
        _whole(given, "batch", usual.batch, 1),
        _size(given, "batch_size", usual.batch_size),
        _span(given, "linger", usual.linger, 0),
        _span(given, "timeout", usual.timeout),
        _span(given, "longest_pause", usual.longest_pause),
        _word(given, "stamps", usual.stamps),
        _whole(given, "drift", usual.drift, 0),
        _span(given, "probe", usual.probe),
        _span(given, "trust", usual.trust, 0),
        None if heartbeat is None else span_of(heartbeat, "heartbeat"),
        given.get("tls"),
        given.get("background", True),
    )


def span_of(given: Span, what: str, least: int = 1) -> int:
    """A length of time in microseconds."""
    if isinstance(given, str):
        try:
            length = parse_period(given).length()
        except RuleError as error:
            raise UsageError(
                f"{what} is {given!r}: {error.faults[0].message}; expected a length of time as '5 min'"
            ) from None
    elif isinstance(given, bool) or not isinstance(given, int | float):
        raise UsageError(f"{what} is {given!r}: expected a length of time as '5 min', or seconds")
    else:
        length = round(given * SECOND)
    if length < least:
        raise UsageError(
            f"{what} is {given!r}: expected a length of time, {'0 or more' if least == 0 else 'more than 0'}"
        )
    return length


def _span(given: Given, name: str, usual: int, least: int = 1) -> int:
    value = given.get(name)
    return usual if value is None else span_of(value, name, least)  # type: ignore[arg-type]  # by name: any field's type


def _sync(given: Span | None, usual: int) -> int:
    if given is None:
        return usual
    if given in ("always", "never"):
        return ALWAYS if given == "always" else NEVER
    return span_of(given, "sync")


def _word(given: Given, name: str, usual: Word) -> Word:
    value = given.get(name)
    known = {each.value: each for each in type(usual)}
    if value is not None and value not in known:
        raise UsageError(f"{name} is {value!r}: expected {choices(list(known))}")
    return usual if value is None else known[value]


def _whole(given: Given, name: str, usual: int, least: int) -> int:
    value = given.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is {value!r}: expected a whole number, {least} or more")
    return value


def _size(given: Given, name: str, usual: int) -> int:
    value = given.get(name)
    if value is None:
        return usual
    match = _SIZE.fullmatch(str(value).strip())
    size = 0 if match is None else int(float(match[1]) * _UNITS[match[2]])
    if size < _LEAST:
        raise UsageError(f"{name} is {value!r}: expected a size of at least {_LEAST} bytes, as '64 MB'")
    return size
