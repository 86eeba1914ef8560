"""Times that are numbers: what they count since 1970, and what is told where that cannot be."""

from __future__ import annotations

from typing import Any, Final

from pyspark.sql import functions as F
from pyspark.sql import types as T

UNITS: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""How many of them a second has."""
_MOST_SECONDS: Final = 100_000_000_000
"""In the year 5138: a count of seconds that is larger is one of something else, since 1973 if of milliseconds."""
_MOST: Final = 2**63 - 1


def instant_of_number(name: str, kind: Any, unit: str | None) -> Any:
    """A column of numbers as timestamps. Without a unit they are seconds, unless they are too large for that."""
    quoted = "`" + name.replace("`", "``") + "`"
    column, times = F.col(quoted), UNITS[unit or "s"]
    if not isinstance(kind, T.IntegralType):
        made = F.timestamp_micros(F.bround(column.cast("double") * (1_000_000 / times)).cast("bigint"))
    elif times > 1_000_000:
        whole = f"cast({quoted} as bigint)"
        made = F.timestamp_micros(F.expr(f"({whole} - pmod({whole}, {times // 1_000_000})) div {times // 1_000_000}"))
    else:
        made = F.timestamp_micros(column.cast("bigint") * (1_000_000 // times))
    most = _MOST_SECONDS * times
    if most > _MOST:
        return made
    return F.when((column > most) | (column < -most), _refused(name, column, unit)).otherwise(made)


def _refused(name: str, column: Any, unit: str | None) -> Any:
    counted = {"s": "seconds", "ms": "milliseconds", "us": "microseconds"}[unit or "s"]
    size = F.abs(column.cast("double"))
    cases = [F.lit("ms"), F.lit("us"), F.lit("ns")]
    likely = F.when(size < 1e14, cases[0]).when(size < 1e17, cases[1]).otherwise(cases[2])
    told = [
        F.lit(f"column '{name}' holds "),
        column.cast("string"),
        F.lit(f", which is no count of {counted} since 1970:"),
    ]
    return F.raise_error(F.concat(*told, F.lit(" say what it counts, as with unit='"), likely, F.lit("'")))
