"""What the engine found, as the lines that `tocsin detect` writes: from columns where all is plain, else one by one."""

from __future__ import annotations

from collections.abc import Iterator
from json.encoder import encode_basestring as quoted
from typing import Any, Final

from tocsin.engine.engine import Engine
from tocsin.engine.frames.members import ends_of
from tocsin.engine.frames.reports import Reported, hashed_of_many, is_plain, reported_by
from tocsin.engine.frames.texts import are_plain
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network.network import FIRST_BELL
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line, to_json

FEW: Final = 16
"""Detections that are made one by one: columns cost more to begin with."""


def drained_lines(engine: Engine, style: TimeStyle) -> Iterator[str]:
    """A line for each detection since the last call, in their order."""
    firing = _only(engine)
    order = None if firing is None else _order(firing, engine.network.store)
    if firing is not None and order is not None:
        for columns in reported_by(engine, firing, style, {}, order):
            yield from _lines(columns, style)
    for one in engine.drain():
        yield detection_line(one, style)


def _only(engine: Engine) -> Firing | None:
    """What found everything, if it is a single plain rule that tells enough to be worth it, and columns can be had."""
    rules = engine.program.rules
    if len(rules) > 1 or engine.has_interplay or any(rule.notify is not None for rule in rules):
        return None
    found = [firing for firing in engine.network.firings if firing.used]
    if len(found) != 1 or found[0].used < FEW * found[0].stride or not is_plain(found[0]):
        return None
    try:
        import numpy  # noqa: F401 - columns of detections need both, and both are optional
        import pyarrow  # noqa: F401
    except ImportError:
        return None
    return found[0]


def _order(firing: Firing, store: Store) -> Any:
    """The order of its rows as detections, if they are all of one branch: by moment, the oldest first.

    None where more than the events would have to tell two apart.
    """
    import numpy as np

    rows = np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, int(firing.stride))
    moments, branches, numbers = rows[:, 0], rows[:, 1] % int(MOST_BRANCHES), rows[:, int(HEAD) :]
    if bool((branches != branches[0]).any()) or bool((numbers >= int(FIRST_BELL)).any()):
        return None
    steps = np.diff(moments)
    if bool((steps < 0).any()):
        return None
    order, ties = np.arange(len(rows)), np.flatnonzero(steps == 0)
    if len(ties):
        tied = np.union1d(ties, ties + 1)
        sorting = _oldest_first(np, moments[tied], numbers[tied], store)
        if sorting is None:
            return None
        order[tied] = tied[sorting]
    return order


def _oldest_first(np: Any, moments: Any, numbers: Any, store: Store) -> Any:
    """The order of rows by moment, then as `chronology` has it: by the times of their events, then by the events."""
    ends = ends_of(np, numbers, store)
    within = np.lexsort((numbers, ends), axis=1)
    ends, numbers = np.take_along_axis(ends, within, 1), np.take_along_axis(numbers, within, 1)
    if bool((numbers[:, 1:] == numbers[:, :-1]).any()):
        return None  # an event that stands there twice counts once
    keys = [moments, *ends.T, *numbers.T]
    order = np.lexsort(keys[::-1])
    sorted_keys = np.stack(keys)[:, order]
    is_tied = (sorted_keys[:, 1:] == sorted_keys[:, :-1]).all(axis=0)
    return None if bool(is_tied.any()) else order


def _lines(columns: Reported, style: TimeStyle) -> Iterator[str]:
    """The same text as `detection_line` has; tests hold the two together."""
    starts, ends = (style.json_of_many(times.to_pylist()) for times in (columns.starts, columns.times))
    is_at_once = columns.detected.equals(columns.times)
    clocks = ends if is_at_once else style.json_of_many(columns.detected.to_pylist())
    name = to_json(columns.rules[0].as_py())  # they are all of one rule
    texts = (_lists(columns.events), columns.data.to_pylist(), hashed_of_many(columns.identities))
    for start, end, clock, events, data, own in zip(starts, ends, clocks, *texts, strict=True):
        yield (
            f'{{"rule": {name}, "type": {name}, "start": {start}, "time": {end}, "detected": {clock},'
            f' "events": {events}, "data": {data}, "id": "{own}"}}'
        )


def _lists(names: Any) -> list[str]:
    """Lists of ids as JSON."""
    import pyarrow.compute as pc

    if are_plain(names.flatten()):
        joined: list[str] = pc.binary_join_element_wise('["', pc.binary_join(names, '", "'), '"]', "").to_pylist()
        return joined
    return [_list(each) for each in names.to_pylist()]


def _list(names: list[str]) -> str:
    text = f"[{', '.join(map(quoted, names))}]"
    return text if text.isascii() else to_json(names)
