"""Which peers there are, where each is got from, and how much of a workload it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WORKLOADS_OF_PEERS = ("W1", "W2", "W3", "W4", "W5")
"""W6 and W7 are in the `generic` context, which no peer has."""


@dataclass(frozen=True)
class Wheel:
    """A package for Python that carries jars: which one, and how the names of the jars begin that are needed."""

    package: str
    version: str
    jars: tuple[str, ...]


@dataclass(frozen=True)
class Maven:
    """Artifacts of Maven; what they depend on comes with them."""

    group: str
    artifacts: tuple[str, ...]
    version: str


@dataclass(frozen=True)
class Peer:
    """One peer. Of a workload on which it is slow it is given the first `most` events."""

    name: str
    version: str
    program: str
    """Its class in Java, in the file of that name."""
    source: Wheel | Maven
    most: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


ESPER = Peer(
    "Esper",
    "9.0.0",
    "EsperPeer",
    Maven("com.espertech", ("esper-common", "esper-compiler", "esper-runtime"), "9.0.0"),
)
FLINK = Peer(
    "Flink CEP",
    "2.3.0",
    "FlinkPeer",
    Wheel("apache-flink-libraries", "2.3.0", ("flink-cep-", "flink-dist-", "log4j-")),
    {"W2": 100_000, "W5": 40_000},
)
SIDDHI = Peer("Siddhi", "5.1.7", "SiddhiPeer", Wheel("pysiddhi", "5.1.0", ("",)))
"""PySiddhi 5.1.0 carries the jars of Siddhi 5.1.7. Its Python part is left aside: it wants a Siddhi SDK besides."""

PEERS = (ESPER, FLINK, SIDDHI)
