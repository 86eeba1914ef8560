"""Kafka as a source of Spark's: its own connector, which has the offsets of Kafka in the checkpoint."""

from __future__ import annotations

from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.transports.address import Address
from tocsin.transports.kafka import OPTIONS

CONNECTOR: Final = "org.apache.spark:spark-sql-kafka-0-10_{scala}:{version}"
START: Final = {"first": "earliest", "new": "latest"}


def messages(spark: Any, address: Address, checkpoint: str) -> Any:
    """The messages of a topic, as a stream."""
    reader = spark.readStream.format("kafka").options(**connection(address))
    reader = reader.option("subscribe", address.path).option("includeHeaders", "true")
    reader = reader.option("startingOffsets", START[address.text("start", OPTIONS) or "first"])
    reader = reader.option("maxOffsetsPerTrigger", max(1, address.number("per_batch", OPTIONS)))
    reader = reader.option("failOnDataLoss", str(address.text("lost", OPTIONS) == "fail").lower())
    if "group" in address.options:
        reader = reader.option("kafka.group.id", address.options["group"])
    # A key may come twice in Kafka, not in a map: there the last one counts.
    headers = F.aggregate(
        F.coalesce(F.col("headers"), F.array()),
        F.create_map().cast("map<string,string>"),
        lambda made, each: F.map_concat(
            F.map_filter(made, lambda key, _: key != each["key"]),
            F.create_map(each["key"], each["value"].cast("string")),
        ),
    )
    return reader.load().select(
        F.col("value").alias("body"),
        headers.alias("headers"),
        F.concat_ws("/", "topic", "partition", "offset").alias("place"),
        F.col("timestamp").alias("arrived"),
    )


def connection(address: Address) -> dict[str, str]:
    """What the connector has to know of the broker."""
    made = {"kafka.bootstrap.servers": address.servers}
    protocol = address.options.get("security")
    if address.user is not None:
        protocol = protocol or "SASL_PLAINTEXT"
        made["kafka.sasl.mechanism"] = "PLAIN"
        user, password = (_quoted(each) for each in (address.user, address.password or ""))
        module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        made["kafka.sasl.jaas.config"] = f'{module} required username="{user}" password="{password}";'
    return made | ({"kafka.security.protocol": protocol} if protocol else {})


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def packages(address: Address) -> str:
    """The connector, as Spark looks for it in Maven's registries."""
    import pyspark

    version = address.options.get("connector", pyspark.__version__)
    return CONNECTOR.format(scala="2.12" if version.startswith("3.") else "2.13", version=version)
