"""Ids that name no events: a device's, or one text in all rows. Of the events of an id one counts: most were lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pyspark.sql import Window
from pyspark.sql import functions as F

MOST: Final = 100
"""Times at which an event may come under one id. Copies have one time; few are told at several by mistake."""
ADVICE: Final = (
    "so it names no event, and of those that it stands for one would count: say that there are no ids,"
    " columns={'id': None}, or which column tells events apart, columns={'id': ...}"
)


def unless_no_id(column: Any, names: Sequence[str]) -> Any:
    """A column of rows that have their source and id in common with others; an error where there are too many times."""
    times = F.dense_rank().over(Window.partitionBy(*names).orderBy("time"))
    told = (F.lit("the id '"), F.col("id").cast("string"), F.lit(f"' comes at more than {MOST} times, {ADVICE}"))
    return F.when(times > MOST, F.raise_error(F.concat(*told))).otherwise(column)
