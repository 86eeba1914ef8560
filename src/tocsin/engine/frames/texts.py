"""Values as texts, in columns of Arrow: as JSON has them, and as keys are told. No value is made an object of Python
where Arrow writes it as Python does.
"""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, TypeAlias

from tocsin.algebra.values import MISSING
from tocsin.engine.network.values import CodedValues, RealValues, Values, WholeValues
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json

_PLAIN: Final = frozenset(map(chr, range(0x20, 0x7F))) - {'"', "\\"}
"""Characters that stand for themselves in JSON."""
_PLAIN_BYTES: Final = "".join(sorted(_PLAIN)).encode()
_EXACT: Final = (int, str, bool)
"""Types whose values are written as JSON has them."""
_SMALL, _LARGE = 1e-4, 1e9
"""Real numbers between these are written alike by Arrow and Python, but for the ".0" of whole ones."""
_SPARSE: Final = 8
"""Numbers are looked up in a table from the least to the greatest, if that is not so many times as long."""

Told: TypeAlias = Callable[[object], str | None]


def json_text(value: object, style: TimeStyle) -> str:
    """A value as JSON."""
    if type(value) is float and value - value == 0.0:
        return repr(value)
    return to_json(value if type(value) in _EXACT else timely(value, style))


def json_told(style: TimeStyle) -> Told:
    """The same, for many."""
    return lambda value: json_text(value, style)


def key_text(value: object) -> str | None:
    """A value that detections have in common, as a text."""
    if value is None or value is MISSING:
        return None
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else to_json(value)


def texts_of(values: Values, places: Any, told: Told) -> Any:
    """The values at some places, each as it is told; nothing where there are none.

    Whole numbers and finite ones are told as Python writes them, whoever tells.
    """
    import numpy as np
    import pyarrow as pa

    match values:
        case WholeValues():
            return pa.array(np.frombuffer(values.data, np.int64)[places]).cast(pa.string())
        case RealValues():
            return _real_texts(np.frombuffer(values.data, np.float64)[places], told)
        case CodedValues():
            used, back = distinct(np.frombuffer(values.codes, np.int64)[places])
            made = [None if code < 0 else told(values.values[code]) for code in used.tolist()]
            return pa.array(made, pa.string()).take(pa.array(back))
    found = list(map(values.value, places.tolist()))
    if set(map(type, found)) == {str}:
        known = {value: told(value) for value in set(found)}
        return pa.array([known[value] for value in found], pa.string())
    return pa.array([None if value is MISSING else told(value) for value in found], pa.string())


def _real_texts(reals: Any, told: Told) -> Any:
    """Real numbers as Python writes them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    texts, sizes = pa.array(reals).cast(pa.string()), np.abs(reals)
    is_alike = ((sizes >= _SMALL) & (sizes < _LARGE)) | (sizes == 0.0)
    is_whole = is_alike & (reals == np.trunc(reals))
    if is_whole.any():
        texts = pc.if_else(pa.array(is_whole), pc.binary_join_element_wise(texts, ".0", ""), texts)
    others = reals[~is_alike].tolist()
    if others:
        texts = pc.replace_with_mask(texts, pa.array(~is_alike), pa.array(map(told, others), pa.string()))
    return texts


def quoted_texts(texts: Any) -> Any:
    """A column of texts, none of them missing, as JSON in ASCII."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if are_plain(texts):
        return pc.binary_join_element_wise('"', texts, '"', "")
    coded = texts.dictionary_encode()
    return pa.array([quoted(text) for text in coded.dictionary.to_pylist()], pa.string()).take(coded.indices)


def are_plain(texts: Any) -> bool:
    """Whether a column of texts stands in JSON as it is, between quotes."""
    data = texts.buffers()[2]
    return data is None or not data.to_pybytes().translate(None, _PLAIN_BYTES)


def distinct(numbers: Any) -> tuple[Any, Any]:
    """Each of some whole numbers once, ascending, and the places there of all. Close ones need not be sorted."""
    import numpy as np

    if len(numbers):
        least, most = int(numbers.min()), int(numbers.max())
        if most - least < _SPARSE * len(numbers):
            is_there: Any = np.zeros(most - least + 1, bool)
            is_there[numbers - least] = True
            places = np.cumsum(is_there) - 1
            return np.flatnonzero(is_there) + least, places[numbers - least]
    found: tuple[Any, Any] = np.unique(numbers, return_inverse=True)
    return found
