"""JSON Lines: one event a line, named as in CloudEvents.

    {"id": "7", "type": "temp", "source": "s1", "time": 12.5, "data": {"t": 31.0}, "arrival": 13.0}

Fields beside these are attributes, too: `{"type": "login", "time": 1, "user": "bob"}`. A detection is an event: its
`start` and `time` are the ends of its interval. Where a key comes twice, the last one counts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import IO, Any, Final, NoReturn

from tocsin.events import Arrival
from tocsin.formats.blocks import Block, Parcel
from tocsin.formats.instants import EXACT_SECONDS
from tocsin.formats.intake import Intake
from tocsin.formats.lines import Line, is_binary, lines
from tocsin.formats.parcels import LineReader, gathered, line_parcels
from tocsin.formats.refused import Refused, shown
from tocsin.formats.values import DEEPEST

NAME: Final = "jsonl"
EXTENSIONS: Final = (".jsonl", ".ndjson", ".json")

_TIMES: Final = ("time", "start", "arrival")


def read(stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
    """The events of a stream of lines, one at a time."""
    for line in lines(stream):
        arrival = admit_line(line, intake)
        if arrival is not None:
            yield arrival


def admit_line(line: Line, intake: Intake) -> Arrival | None:
    """The event on a line; None where it is bad, and bad ones are skipped."""
    try:
        if line.flaw is not None:
            raise line.flaw
        return intake.admit(intake.fields.record(parse_record(line.text)), line.number)
    except Refused as refused:
        intake.refuse(line.number, line.text, refused)
        return None


def parcels(stream: IO[Any], intake: Intake) -> Iterator[Parcel]:
    """The same events, many at a time."""
    if not intake.takes_blocks or intake.fields.columns or not is_binary(stream):
        yield from gathered(read(stream, intake), intake.is_live)
        return
    from tocsin.formats.json_blocks import Schema, block_of  # here, for it needs what small inputs do without

    schema = Schema()

    def block(lines: bytes, count: int, first: int) -> Block:
        return block_of(lines, count, first, schema, intake)

    yield from line_parcels(stream, LineReader(block, schema.learn, partial(admit_line, intake=intake)))


def parse_record(text: str) -> dict[str, object]:
    """The record on one line, with times of any size exact."""
    record = parse_object(text, "an event")
    if any(_needs_care(record.get(name)) for name in _TIMES):
        exact = json.loads(text, parse_float=Decimal)
        record.update((name, exact[name]) for name in _TIMES if name in exact)
    return record


def parse_object(text: str, what: str) -> dict[str, object]:
    """The JSON object that `text` is, or a reason why it is none that can be used; `what` names it."""
    try:
        value = _DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Refused(f"not JSON: {error.msg}", error.colno) from None
    except RecursionError:
        raise _too_deep() from None
    except UnicodeEncodeError:
        raise Refused("a lone surrogate, which is no character") from None
    except ValueError:
        raise Refused("a number with too many digits") from None
    if type(value) is not dict:
        hint = "write one event a line, without a list around them" if isinstance(value, list) else ""
        raise Refused(f"{what} is a JSON object, this is {shown(value)}", hint=hint)
    # Brackets inside text count too: then the depth is looked at for nothing, which does no harm.
    if text.count("[") + text.count("{") > DEEPEST and _depth(value) > DEEPEST:
        raise _too_deep()
    return value


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise Refused(f"the number {shown(text)} is out of range")
    return value


def _no_number(text: str) -> NoReturn:
    raise Refused(f"{text} is no number of JSON")


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_no_number)


def _needs_care(value: object) -> bool:
    """Whether a time is so far from 1970 that a float may not hold its microseconds."""
    if type(value) is float:
        return not -EXACT_SECONDS < value < EXACT_SECONDS
    return type(value) is list and any(_needs_care(item) for item in value if type(item) is float)


def _too_deep() -> Refused:
    return Refused(f"lists and objects nested more than {DEEPEST} deep")


def _depth(value: object) -> int:
    """How deeply lists and objects are nested; level by level, for recursion is what must be avoided here."""
    depth, level = 0, [value]
    while level:
        inside: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inside.extend(item.values())
            elif isinstance(item, list):
                inside.extend(item)
        depth, level = depth + 1, inside
    return depth - 1
