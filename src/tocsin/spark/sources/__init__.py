"""Where a pipeline's events come from: directories, simulated events, and brokers, a file for each.

A broker's file is called as its transport's, and has `messages(spark, address, checkpoint)`: a stream of messages.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tocsin.spark.pipelines import Pipeline
from tocsin.spark.sources.files import read_files, simulated
from tocsin.spark.sources.messages import decoded
from tocsin.transports import SOURCE, transport_of


def events_of(spark: Any, pipeline: Pipeline, with_arrival: bool) -> tuple[Any, Any]:
    """The events that can be read, and what cannot, in the shape of detections; None where that cannot be.

    `with_arrival`: whether the order of arrival matters.
    """
    source = pipeline.source
    if source.simulated is not None:
        return simulated(spark, source.simulated), None
    if source.address is None:
        return read_files(spark, pipeline)
    module = import_module(f"{__name__}.{transport_of(source.address.url, SOURCE).__name__.rpartition('.')[2]}")
    frame = module.messages(spark, source.address, pipeline.checkpoint)
    return decoded(frame, source.address, source.schema, with_arrival)
