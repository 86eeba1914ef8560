"""The GEM monitor over HTTP (003 section 3): commands, scripts, what it shows. Events come to it as to everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from tocsin.errors import TextError, TocsinError, placed
from tocsin.monitor.state import MonitorState
from tocsin.rules.loader import CONSOLE, loaded_scripts, read_text, script_name
from tocsin.service.access.permissions import Action
from tocsin.service.gem_monitor import GemText
from tocsin.service.requests import RequestFault
from tocsin.service.web.endpoints import Call, Endpoint, RefusedCall, refused

TEXT: Final = "text/plain"
JSON: Final = "application/json"
MOST_TEXT: Final = 1_000_000
"""Characters of a text with all that it loads."""


class Typed(msgspec.Struct, forbid_unknown_fields=True):
    """GEM commands, or a script; `name` is what faults call it, `scripts` are those that it may load, by name."""

    text: str
    name: str = CONSOLE
    scripts: dict[str, str] = {}


class Done(msgspec.Struct):
    """What came of a text: remarks, the detections it led to at once, and the number of the last detection then."""

    remarks: list[str]
    detections: list[msgspec.Raw]
    number: int
    stopped: bool


class MonitorStatus(msgspec.Struct):
    """The monitor as it is; `number` is that of the last detection of the service, behind which the stream goes on."""

    state: MonitorState
    number: int
    stopped: bool
    trouble: str


async def command(call: Call) -> Done:
    """Does what a GEM text says, all of it or nothing. The answer comes when that lasts, and was evaluated.

    A text with no statements does nothing, and is answered when all that came before it was evaluated.
    """
    typed = await _typed(call)
    scripts = await asyncio.to_thread(_carried, typed, call.service.settings.scripts)
    service, core = call.service, call.service.core
    asked = GemText(typed.text, typed.name, scripts)
    if len(asked.text) + sum(map(len, scripts.values())) > MOST_TEXT:
        raise refused(413, "text-too-long", f"a text has {MOST_TEXT:,} characters at most, with all that it loads")
    service.check_writable()
    try:
        is_empty = not asked.program(core.settings.options).statements
        position = core.position if is_empty else core.command(asked, call.now, call.actor)
    except TextError as error:
        raise RefusedCall(422, _faults(error)) from None
    except TocsinError as error:
        raise refused(422, "command-refused", str(error)) from None
    finally:
        service.wake()  # the audit has something to keep in any case
    await service.lasting(position)
    await service.answered(position)
    answer = core.commands.answer(position)
    if answer.failure:
        raise refused(422, "monitor-broken", answer.failure, "the monitor begins anew with the next text")
    found = [msgspec.Raw(one.body) for one in answer.found]
    return Done(list(answer.remarks), found, service.stream.last, answer.has_stopped)


async def _typed(call: Call) -> Typed:
    kind = call.http.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == JSON:
        return await call.body(Typed)
    if kind != TEXT:
        raise refused(415, "media-type", f"GEM commands do not come as {kind or 'nothing'}", f"send {TEXT} or {JSON}")
    data = await call.http.body()
    try:
        return Typed(data.decode())
    except UnicodeDecodeError as error:
        raise refused(400, "not-utf8", f"the body is not UTF-8: byte {error.start + 1}") from None


def _carried(typed: Typed, operators: Mapping[str, str]) -> dict[str, str]:
    """The scripts that a text loads: those that came along, and those that the operator's settings give by name."""
    given = {script_name(name): text for name, text in typed.scripts.items()}

    def read(name: str, written: str) -> str | None:
        path = operators.get(written)
        return given[name] if name in given else None if path is None else read_text(Path(path))

    return loaded_scripts(typed.text, typed.name, read)


def _faults(error: TextError) -> list[RequestFault]:
    """What is wrong with a text: the key is the script that it stands in."""
    found = []
    for fault in map(placed, error.faults):
        told, place = (
            RequestFault("command-invalid", fault.message, expected=fault.expected, hint=fault.hint),
            fault.place,
        )
        if place is not None:
            end = place.column + place.width
            told = replace(told, key=place.file, line=place.line, column=place.column, end=end)
        found.append(told)
    return found


async def show(call: Call) -> MonitorStatus:
    """What is declared and defined, what was seen and done, and what time it is for the rules."""
    monitor = call.service.core.monitor
    return MonitorStatus(monitor.state(), call.service.stream.last, monitor.has_stopped, monitor.failure)


ENDPOINTS: Final = (
    Endpoint("GET", "/v1/monitor", Action.COMMAND, show, "What the GEM monitor knows and did", MonitorStatus),
    Endpoint(
        "POST", "/v1/monitor", Action.COMMAND, command, "Give GEM commands", Done, Typed, errors=(415,), texts=(TEXT,)
    ),
)
