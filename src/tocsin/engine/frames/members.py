"""The events that detections are made of, each once, as columns of Arrow: ids, names, times, attributes as texts.

An event of a batch that came as columns is never made: what is asked of it is taken from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from tocsin.algebra.attributes import found_in
from tocsin.algebra.values import MISSING
from tocsin.engine.frames.texts import Told, distinct, json_text, json_told, key_text, quoted_texts, texts_of
from tocsin.engine.network.batch import Batch, Store, Tell
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.values import MISSING_VALUES
from tocsin.events import Event
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import to_json


class Members:
    """The events that rows are made of, each once. `places` has for each column the events of its rows."""

    def __init__(self, np: Any, pa: Any, columns: list[Any], store: Store, style: TimeStyle) -> None:
        self._np, self._pa = np, pa
        numbers, inverse = _distinct_numbers(np, np.concatenate(columns))
        size = len(columns[0])
        self.places = [inverse[start : start + size] for start in range(0, len(inverse), size)]
        self._groups = [*_groups(np, numbers, store, style)]
        self._starts = np.concatenate([group.starts for group in self._groups])
        self._ends = np.concatenate([group.ends for group in self._groups])

    def spans(self, column: int) -> tuple[Any, Any]:
        """Starts and ends."""
        return self._starts[self.places[column]], self._ends[self.places[column]]

    def ids(self, places: Any) -> Any:
        """The ids of events."""
        return self._ids.take(places)

    def names(self, column: int) -> Any:
        """Sources and ids, as the id of a detection has what a variable stands for."""
        return self._names.take(self.places[column])

    def keys(self, column: int) -> Any:
        """The events as the id of a detection has them."""
        return self._keys.take(self.places[column])

    @cached_property
    def _ids(self) -> Any:
        return self._pa.concat_arrays([group.ids for group in self._groups])

    @cached_property
    def _names(self) -> Any:
        return self._pa.concat_arrays([group.names() for group in self._groups])

    @cached_property
    def _keys(self) -> Any:
        ends = self._pa.array(self._ends).cast(self._pa.string())
        return _joined("[", ends, ",", self._names, "]")

    # -- where rows differ in the order of their events ---------------------------------------------------------------

    @cached_property
    def _listed(self) -> tuple[list[str], list[str], list[str]]:
        sources = [source for group in self._groups for source in group.source_list()]
        return self._ids.to_pylist(), sources, self._keys.to_pylist()

    def sorted_ids(self, row: tuple[int, ...]) -> list[str]:
        # The events are in the order of their numbers, and that is the order of arrival.
        ids, _, _ = self._listed
        return [ids[place] for place in sorted(set(row), key=lambda place: (self._ends[place], place))]

    def weakly_sorted_ids(self, row: tuple[int, ...]) -> list[str]:
        # The total order of 001, as `algebra/firings.py` has it.
        (ids, sources, _), ends, starts = self._listed, self._ends, self._starts
        return [ids[n] for n in sorted(set(row), key=lambda n: (ends[n], starts[n], sources[n], n))]

    def sorted_keys(self, row: tuple[int, ...]) -> str:
        ids, sources, keys = self._listed
        places = sorted(set(row), key=lambda place: (self._ends[place], sources[place], ids[place]))
        return ",".join([keys[place] for place in places])

    # -- attributes -------------------------------------------------------------------------------------------------

    def texts(self, name: str, column: int) -> Any:
        """The attributes of a variable as JSON, with a comma after each."""
        return self._of_each(column, lambda group, places: group.texts(name, places))

    def values(self, attribute: str, column: int, told: Told) -> Any:
        """The values of an attribute as texts, each as it is told; nothing where there are none."""
        return self._of_each(column, lambda group, places: group.values(attribute, places, told))

    def _of_each(self, column: int, made_of: Callable[[Group, Any], Any]) -> Any:
        """A column of texts, of which each event's is made once."""
        np, pa = self._np, self._pa
        events, back = distinct(self.places[column])
        made: list[Any] = []
        first = 0
        for group in self._groups:
            end = first + len(group.ends)
            low, high = np.searchsorted(events, [first, end]).tolist()
            made.append(made_of(group, events[low:high] - first))
            first = end
        return pa.concat_arrays(made).take(pa.array(back))


def _distinct_numbers(np: Any, numbers: Any) -> tuple[Any, Any]:
    """Each number once, and the places of all. Those of batches are some way apart, which leaves out most between."""
    places = numbers // int(SPREAD)
    if (places * int(SPREAD) == numbers).all():
        found, back = distinct(places)
        return found * int(SPREAD), back
    made: tuple[Any, Any] = np.unique(numbers, return_inverse=True)
    return made


def ends_of(np: Any, numbers: Any, store: Store) -> Any:
    """When events were, by their numbers."""
    known, back = np.unique(numbers, return_inverse=True)
    found = np.empty(len(known), np.int64)
    for chosen, batch, places in _by_batch(np, known, store):
        if batch is None or not batch.ends:  # what was pushed has no columns
            found[chosen] = [store.event(number).end for number in known[chosen].tolist()]
        else:
            found[chosen] = np.frombuffer(batch.ends, np.int64)[places]
    return found[back].reshape(numbers.shape)


def _by_batch(np: Any, numbers: Any, store: Store) -> Iterator[tuple[Any, Batch | None, Any]]:
    """Which of these numbers, which ascend, are of which batch, and where they stand in it.

    What is from before a restart is of none.
    """
    firsts = [int(batch.first) for batch in store.batches]
    places = numbers // int(SPREAD)
    at = np.searchsorted(firsts, places, side="right") - 1
    for index in np.unique(at).tolist():
        chosen = at == index
        yield chosen, *((store.batches[index], places[chosen] - firsts[index]) if index >= 0 else (None, None))


def _groups(np: Any, numbers: Any, store: Store, style: TimeStyle) -> Iterator[Group]:
    """Events by their numbers, which ascend: those of a batch together."""
    for chosen, batch, places in _by_batch(np, numbers, store):
        if batch is None:
            yield Made(np, [store.event(number) for number in numbers[chosen].tolist()], style)
        elif batch.tell is not None:
            yield Read(np, batch, batch.tell, places, style)
        elif batch.is_made:
            yield Made(np, [batch.event(place) for place in places.tolist()], style)
        else:
            yield Taken(np, batch, places, style)


class Group:
    """Some events: their ids, sources, starts and ends, and what there is to say of their attributes.

    `sources` are a column; nothing where all are "".
    """

    starts: Any
    ends: Any

    @property
    def ids(self) -> Any:
        raise NotImplementedError

    @property
    def sources(self) -> Any:
        raise NotImplementedError

    def names(self) -> Any:
        """Sources and ids, as texts of JSON."""
        if self.sources is None:
            return _joined('"",', quoted_texts(self.ids))
        return _joined(quoted_texts(self.sources), ",", quoted_texts(self.ids))

    def source_list(self) -> list[str]:
        """The sources one by one."""
        return [""] * len(self.ends) if self.sources is None else self.sources.to_pylist()

    def texts(self, name: str, places: Any) -> Any:
        """The attributes of some of them as those of a variable, with a comma after each."""
        raise NotImplementedError

    def values(self, attribute: str, places: Any, told: Told) -> Any:
        """The values of an attribute of some of them."""
        raise NotImplementedError


class _Recorded(Group):
    """Events whose attributes are a dictionary each."""

    def __init__(self, ids: list[str], sources: list[str], data: list[Mapping[str, object]], style: TimeStyle) -> None:
        self._ids, self._sources, self._data, self._style = ids, sources, data, style

    @cached_property
    def ids(self) -> Any:
        return _column(self._ids)

    @cached_property
    def sources(self) -> Any:
        return _column(self._sources)

    def texts(self, name: str, places: Any) -> Any:
        heads: dict[str, str] = {}
        made: list[str] = []
        for place in places.tolist():
            text = ""
            for key, value in self._data[place].items():
                head = heads.get(key)
                if head is None:
                    head = heads[key] = to_json(f"{name}.{key}") + ": "
                text += head + (str(value) if type(value) is int else json_text(value, self._style)) + ", "
            made.append(text)
        return _column(made)

    def values(self, attribute: str, places: Any, told: Told) -> Any:
        found = (found_in(self._data[place], attribute) for place in places.tolist())
        return _column([None if value is MISSING else told(value) for value in found])


class Made(_Recorded):
    """Events that are there as such."""

    def __init__(self, np: Any, events: list[Event], style: TimeStyle) -> None:
        names = [event.id for event in events], [event.source for event in events]
        super().__init__(*names, [event.data for event in events], style)
        self.starts, self.ends = (
            np.array(times, np.int64) for times in zip(*((e.start, e.end) for e in events), strict=True)
        )


class Read(_Recorded):
    """Events of a batch whose rows are read when they are asked for; no event is made."""

    def __init__(self, np: Any, batch: Batch, tell: Tell, places: Any, style: TimeStyle) -> None:
        super().__init__(*tell(places.tolist()), style)
        self.starts, self.ends = (np.frombuffer(times, np.int64)[places] for times in (batch.starts, batch.ends))


class Taken(Group):
    """Events in the columns of a batch."""

    def __init__(self, np: Any, batch: Batch, places: Any, style: TimeStyle) -> None:
        self._batch, self._places, self._style = batch, places, style
        self._first = int(batch.first)
        self.starts, self.ends = (np.frombuffer(times, np.int64)[places] for times in (batch.starts, batch.ends))

    @cached_property
    def ids(self) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        given = self._batch.ids
        numbers = pa.array(self._places + self._first).cast(pa.string())
        return numbers if given is MISSING_VALUES else pc.coalesce(texts_of(given, self._places, key_text), numbers)

    @cached_property
    def sources(self) -> Any:
        import pyarrow.compute as pc

        given = self._batch.sources
        return None if given is MISSING_VALUES else pc.fill_null(texts_of(given, self._places, key_text), "")

    def texts(self, name: str, places: Any) -> Any:
        columns = {key: self.values(key, places, json_told(self._style)) for key in self._batch.columns}
        heads = [f"{to_json(f'{name}.{key}')}: " for key in columns]
        if not columns:
            return _column([""] * len(places))
        if not any(column.null_count for column in columns.values()):
            parts = [
                part for head, column in zip(heads, columns.values(), strict=True) for part in (head, column, ", ")
            ]
            return _joined(*parts)
        # What joins with nothing is nothing.
        some = [_joined(head, column, ", ") for head, column in zip(heads, columns.values(), strict=True)]
        return _joined(*(column.fill_null("") for column in some))

    def values(self, attribute: str, places: Any, told: Told) -> Any:
        return texts_of(self._batch.column(attribute), self._places[places], told)


def _joined(*parts: Any) -> Any:
    """Texts side by side: columns, and what is the same in all rows."""
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*parts, "")


def _column(texts: list[Any]) -> Any:
    import pyarrow as pa

    return pa.array(texts, pa.string())
