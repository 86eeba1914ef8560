"""Events of a static DataFrame that have the source and the id of another: the first of them counts, for all rules.

Which shard an event goes to depends on its contents. Copies, which are equal but for when they arrived, meet in their
shards, where the first is taken. Events that have one name and different contents may be in different shards, or be
filtered out beforehand, so they are told apart here. To find them takes a pass over hashes of names and contents;
mostly there are none, and it ends there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pyspark.sql import Window
from pyspark.sql import functions as F

from tocsin.spark.contents import hash_of
from tocsin.spark.events import EventColumns
from tocsin.spark.ids import unless_no_id

NAME: Final = "namesake"
CONTENTS: Final = "contents"
PLACE: Final = "place"
ARRIVING: Final = ("arrival", "sequence")


def without_namesakes(events: EventColumns) -> EventColumns:
    """The events, of each name the first: as they arrived, where that is told, else by their times.

    Copies of an event may still be there.
    """
    if not events.is_named:
        return events  # what is called by its contents has no namesakes but copies
    frame = events.frame
    names = [name for name in ("source", "id") if name in frame.columns]
    about = [name for name in frame.columns if name not in (*names, *ARRIVING)]
    named = frame.withColumns({NAME: hash_of(frame, names), CONTENTS: hash_of(frame, about)})
    extremes = named.groupBy(NAME).agg(F.min(CONTENTS).alias("least"), F.max(CONTENTS).alias("most"))
    doubtful = F.broadcast(extremes.filter(F.col("least") != F.col("most")).select(NAME))
    first = [name for name in (*ARRIVING, "time", "start", CONTENTS) if name in named.columns]
    place = unless_no_id(F.row_number().over(Window.partitionBy(*names).orderBy(*first)), names)
    firsts = named.join(doubtful, NAME).withColumn(PLACE, place).filter(F.col(PLACE) == 1)
    others = named.join(doubtful, NAME, "left_anti")
    return replace(events, frame=others.select(frame.columns).unionByName(firsts.select(frame.columns)))
