"""HTTP: a webhook that detections are posted to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tocsin.errors import UsageError
from tocsin.transports.address import SINK, Address, Option
from tocsin.transports.contract import Publisher

SCHEMES: Final = {"http": 80, "https": 443}
PREFIX: Final = "ce-"
USES: Final = (SINK,)
HAS_OPTIONS: Final = False
REPLAYS: Final = False
OPTIONS: Final[Mapping[str, Option]] = {
    "batch": Option("detections of a request, at most", "100", "number"),
    "secret_env": Option("the variable of the environment that holds the key of the signature"),
    "retries": Option("how often a request that failed is made again", "5", "number"),
    "pause": Option("the pause before the first retry; each is twice as long as the last", "500 ms", "span"),
    "timeout": Option("how long an answer is waited for", "10 s", "span"),
    "dead_letters": Option("the directory for what was not taken; `dead-letters` in the checkpoint if left out"),
}


def check(address: Address, use: str) -> None:
    """Whether the encoding is one that a list of detections has. Nothing is posted to find out who is there."""
    if address.options.get("encoding", "json") == "avro":
        raise UsageError(f"{address}: a webhook takes lists of detections: json or cloudevents, not avro")
    if address.options.get("mode") == "binary":
        raise UsageError(f"{address}: several detections in a request are in structured mode")


def publisher(address: Address) -> Publisher:
    """A webhook takes lists of detections, which `sinks.http` posts, and not one message after the other."""
    raise UsageError(f"{address}: a topic is wanted here; 'tocsin run' and 'tocsin serve' post to webhooks")
