"""Where a pipeline's events come from: directories, simulated events, and brokers, a file for each.

A broker's file is called as its transport's, and has `messages(spark, address, checkpoint)`: a stream of messages.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import pyspark

from tocsin.errors import UsageError
from tocsin.pipelines.description import Pipeline
from tocsin.spark.sources.files import read_files, simulated
from tocsin.spark.sources.messages import decoded
from tocsin.transports import SOURCE, transport_of

SINCE: Final = "4.2"
"""The PySpark that has what sources of our own are made of. Kafka's is Spark's own."""


def events_of(spark: Any, pipeline: Pipeline, with_arrival: bool) -> tuple[Any, Any]:
    """The events that can be read, and what cannot, in the shape of detections; None where that cannot be.

    `with_arrival`: whether the order of arrival matters.
    """
    source = pipeline.source
    if source.simulated is not None:
        return simulated(spark, source.simulated), None
    if source.address is None:
        return read_files(spark, pipeline)
    name = transport_of(source.address.url, SOURCE).__name__.rpartition(".")[2]
    try:
        module = import_module(f"{__name__}.{name}")
    except ImportError as error:
        if error.name is None or not error.name.startswith("pyspark"):
            raise
        raise UsageError(f"a source of {name} needs PySpark {SINCE} or newer: this is {pyspark.__version__}") from None
    frame = module.messages(spark, source.address, pipeline.checkpoint)
    return decoded(frame, source.address, source.schema, with_arrival)
