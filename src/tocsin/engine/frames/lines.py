"""What the engine found, as the lines that `tocsin detect` writes: from columns where all is plain, else one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from json.encoder import encode_basestring as quoted
from typing import Final

from tocsin.engine.engine import Engine
from tocsin.engine.frames.reports import Reported, hashed, is_plain, reported
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
    if firing is not None and _is_in_order(firing, engine.network.store):
        for columns in reported(engine, style, {}):
            yield from _lines(columns, style)
    for one in engine.drain():
        yield detection_line(one, style)


def _only(engine: Engine) -> Firing | None:
    """What found everything, if it is a single plain rule that tells enough to be worth it, and columns can be had."""
    rules = engine.program.rules
    if len(rules) > 1 or engine.has_interplay:
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


def _is_in_order(firing: Firing, store: Store) -> bool:
    """Whether its rows are detections of one branch, and in order now: those of one moment, the oldest first."""
    import numpy as np

    rows = np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, int(firing.stride))
    is_one_branch = bool((rows[:, 1] % int(MOST_BRANCHES) == rows[0, 1] % int(MOST_BRANCHES)).all())
    if not is_one_branch or bool((rows[:, int(HEAD) :] >= int(FIRST_BELL)).any()):
        return False
    steps = np.diff(rows[:, 0])
    if bool((steps > 0).all()):
        return True
    if bool((steps < 0).any()):
        return False
    same = np.flatnonzero(steps == 0).tolist()
    runs: list[list[int]] = []
    for place in same:
        if runs and runs[-1][-1] == place:
            runs[-1].append(place + 1)
        else:
            runs.append([place, place + 1])
    return all(_sorted_run(firing, run, store) for run in runs)


def _sorted_run(firing: Firing, run: list[int], store: Store) -> bool:
    """Puts rows of one moment in order, as `chronology` would; not where only more than the events tells them apart."""
    stride = int(firing.stride)
    rows = [[int(firing.matches[place * stride + at]) for at in range(stride)] for place in run]
    keys = [_chronology(row[int(HEAD) :], store) for row in rows]
    order = sorted(range(len(run)), key=keys.__getitem__)
    if any(keys[one] == keys[other] for one, other in pairwise(order)):
        return False
    for place, chosen in zip(run, order, strict=True):
        for at in range(stride):
            firing.matches[place * stride + at] = rows[chosen][at]
    return True


def _chronology(numbers: list[int], store: Store) -> tuple[list[int], list[tuple[int, int]]]:
    places = sorted((_end_of(number, store), number) for number in set(numbers))
    return [end for end, _ in places], places


def _lines(columns: Reported, style: TimeStyle) -> Iterator[str]:
    """The same text as `detection_line` has; tests hold the two together."""
    starts, ends = (style.json_of_many(times.to_pylist()) for times in (columns.starts, columns.times))
    is_at_once = columns.detected.equals(columns.times)
    clocks = ends if is_at_once else style.json_of_many(columns.detected.to_pylist())
    rules = columns.rules.to_pylist()
    names = {rule: to_json(rule) for rule in set(rules)}
    texts = (rules, columns.events.to_pylist(), columns.data.to_pylist(), columns.identities.to_pylist())
    for start, end, clock, rule, events, data, identity in zip(starts, ends, clocks, *texts, strict=True):
        name = names[rule]
        yield (
            f'{{"rule": {name}, "type": {name}, "start": {start}, "time": {end}, "detected": {clock},'
            f' "events": {_list(events)}, "data": {data}, "id": "{hashed(identity)}"}}'
        )


def _list(names: list[str]) -> str:
    text = f"[{', '.join(map(quoted, names))}]"
    return text if text.isascii() else to_json(names)


def _end_of(number: int, store: Store) -> int:
    batch, place, made = store.holder(number)
    if batch is None:
        assert made is not None
        return made.end
    return int.from_bytes(batch.ends[place * 8 : place * 8 + 8], "little", signed=True)
