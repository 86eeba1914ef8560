"""Events that come over HTTP: `POST /v1/events`. The one path that has to be fast, so nothing stands before it.

Whatever the content type, what is kept are lines of JSON. An answer is given when they last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from tocsin.encodings import Message, codec_of
from tocsin.events import Moment
from tocsin.formats.instants import Instant
from tocsin.formats.refused import Refused as NotAnEvent
from tocsin.formats.reports import parse_report, without_comments
from tocsin.service.access.permissions import Action, Principal, allows
from tocsin.service.access.scopes import ANY
from tocsin.service.admission import NotTaken, json_line
from tocsin.service.core import Overloaded, Receipt
from tocsin.service.requests import RequestFault
from tocsin.service.server import NotWritable, Service
from tocsin.service.web.endpoints import RefusedCall, refused
from tocsin.service.web.shapes import Accepted, NotTakenEvent
from tocsin.time.calendar import render_instant

PATH: Final = "/v1/events"
WAIT: Final = "1"
"""Seconds after which whoever was told to wait may ask again."""
_OPENING: Final = b"[{ \t\r\n"
_encode: Final = msgspec.json.Encoder().encode
_any: Final = msgspec.json.Decoder()
_raws: Final = msgspec.json.Decoder(list[msgspec.Raw])
JSON: Final = (
    "application/json",
    "application/x-ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/x-www-form-urlencoded",  # what curl says of everything
    "",
)
CLOUDEVENT: Final = "application/cloudevents+json"
CLOUDEVENTS: Final = "application/cloudevents-batch+json"
REPORTS: Final = "text/plain"
KINDS: Final = (*JSON[:2], CLOUDEVENT, CLOUDEVENTS, REPORTS)


class Lines:
    """A body as lines of JSON; what could not be made one was refused, by its place."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.places: list[int] | None = None
        """The places in what was sent, where some of it was refused already."""
        self.refused: list[NotTaken] = []
        self._count = -1

    @property
    def count(self) -> int:
        """How many events it may have."""
        if self._count < 0:
            self._count = self.body.count(b"\n") + (not self.body.endswith(b"\n"))
        return self._count


async def take(service: Service, principal: Principal, lines: Lines) -> bytes:
    """Takes events; the answer, when they last."""
    refusal = allows(principal, Action.SEND_EVENTS)
    if refusal is not None:
        raise RefusedCall(refusal.status, [RequestFault(refusal.code, refusal.message, hint=refusal.hint)])
    try:
        receipt = await service.accept(lines.body, principal.name, may_send_of(principal))
    except Overloaded:
        message = "more events have come than could be stored or evaluated yet"
        raise refused(429, "overloaded", message, **{"Retry-After": WAIT}) from None
    except NotWritable as error:
        message = f"nothing can be stored just now: {error}"
        raise refused(503, "cannot-store", message, **{"Retry-After": WAIT}) from None
    return answer_of(receipt, lines)


def may_send_of(principal: Principal) -> Callable[[str], bool] | None:
    """Whether somebody may send events of a type; None for whoever may send all."""
    if principal.sees_all_owners or ANY in principal.scopes.types:
        return None
    return principal.covers_type


def answer_of(receipt: Receipt, lines: Lines) -> bytes:
    """What became of a body."""
    if not receipt.refused and not lines.refused:
        return b'{"accepted":%d,"duplicates":%d,"refused":[]}' % (receipt.accepted, receipt.duplicates)
    places = lines.places
    later = [
        NotTakenEvent(each.index if places is None else places[each.index], each.code, each.message)
        for each in receipt.refused
    ]
    earlier = [NotTakenEvent(each.index, each.code, each.message) for each in lines.refused]
    every = sorted((*earlier, *later), key=lambda each: each.index)
    return _encode(Accepted(receipt.accepted, receipt.duplicates, every))


# -- what bodies hold --------------------------------------------------------------------------------------------------


def lines_of(service: Service, kind: str, headers: Mapping[bytes, bytes], body: bytes) -> Lines:
    """A body as lines of JSON, whatever its content type."""
    limits = service.settings.limits
    if b"ce-specversion" in headers:
        return _cloudevents([_binary(headers, kind, body)])
    if kind in JSON:
        lines = _json_lines(body)
    elif kind == CLOUDEVENT:
        lines = _cloudevents([(body, {})])
    elif kind == CLOUDEVENTS:
        lines = _cloudevents([(bytes(each), {}) for each in _array(body)])
    elif kind == REPORTS:
        lines = _reports(service, body)
    else:
        raise refused(415, "media-type", f"events do not come as {kind}", f"send {', '.join(KINDS)}")
    if lines.count > limits.batch:
        raise refused(413, "batch-too-large", f"a body has {limits.batch} events at most")
    return lines


def _json_lines(body: bytes) -> Lines:
    """One object, a list of them, or one a line."""
    start = body[:64].lstrip()
    if start[:1] == b"[":
        return Lines(b"\n".join(_line(bytes(each)) for each in _array(body)))
    if b"\n" in body and not _is_lines(body):
        try:  # one object, written over several lines
            return Lines(msgspec.json.encode(_any.decode(body)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
    return Lines(body)


def _is_lines(body: bytes) -> bool:
    first = body[: body.find(b"\n")].rstrip()
    return not first or (first[:1] == b"{" and first[-1:] == b"}")


def _array(body: bytes) -> list[msgspec.Raw]:
    try:
        return _raws.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise refused(400, "not-json", f"the body is not a list of JSON: {error}") from None


def _line(each: bytes) -> bytes:
    return each if b"\n" not in each else msgspec.json.encode(_any.decode(each))


def _binary(headers: Mapping[bytes, bytes], kind: str, body: bytes) -> tuple[bytes, dict[str, str]]:
    named = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items() if name[:3] == b"ce-"}
    return body, named | {"content-type": kind or "application/json"}


def _cloudevents(messages: Iterable[tuple[bytes, Mapping[str, str]]]) -> Lines:
    codec = codec_of("cloudevents", {}, "ce-")
    made, lines, places = Lines(b""), list[bytes](), list[int]()
    for index, (body, headers) in enumerate(messages):
        try:
            record = codec.decode(Message(body, headers))
        except NotAnEvent as error:
            made.refused.append(NotTaken(index, "event-invalid", _said(error)))
            continue
        lines.append(json_line(_plain(record)))
        places.append(index)
    made.body, made.places = b"\n".join(lines), places
    return made


def _reports(service: Service, body: bytes) -> Lines:
    """GEM event reports (003 section 2.1), one a line. Values have the names that their type is declared with, or that
    the GEM monitor has declared."""
    classes = {**service.core.commands.declared, **service.core.types.declarations}
    declared = {name: [key for key, _ in each.attributes] for name, each in classes.items()}
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise refused(400, "not-utf8", f"the body is not UTF-8: byte {error.start + 1}") from None
    made, lines, places, inside = Lines(b""), list[bytes](), list[int](), False
    now = service.clock()
    for index, line in enumerate(text.splitlines()):
        said, inside = without_comments(line, inside)
        if not said.strip():
            continue
        try:
            record = parse_report(said, declared, now)
        except NotAnEvent as error:
            made.refused.append(NotTaken(index, "event-invalid", _said(error), line[:1000]))
            continue
        lines.append(json_line(_plain(record)))
        places.append(index)
    made.body, made.places = b"\n".join(lines), places
    return made


def _said(error: NotAnEvent) -> str:
    return ", ".join(
        each for each in (error.reason, error.expected and f"expected {error.expected}", error.hint) if each
    )


def _plain(value: Any) -> Any:
    """A record with its times as JSON has them."""
    if isinstance(value, Instant):
        return render_instant(value)
    if isinstance(value, Moment):
        return render_instant(value.microseconds)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
