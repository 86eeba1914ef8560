"""The jars of Kafka and of Spark's connector to it, from the person's own registries, kept for the next time."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tocsin.bench.peers.jars import COPY_DEPENDENCIES, FETCHING, Unavailable, made_whole, run_to_its_end


@dataclass(frozen=True)
class Jars:
    """Artifacts of Maven, as `group:artifact:version`; with what they depend on, or alone."""

    name: str
    artifacts: tuple[str, ...]
    alone: bool = False


BROKER: Final = Jars("kafka-4.3.0", ("org.apache.kafka:kafka_2.13:4.3.0",))
CONNECTOR: Final = Jars(
    "spark-kafka-4.2.0",
    (
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
        "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
        "org.apache.kafka:kafka-clients:3.9.2",
        "org.apache.commons:commons-pool2:2.13.1",
    ),
    alone=True,
)
"""Spark's connector of another version than Spark: 4.2.0 is tried with 4.3.0, and is what can be had everywhere.

Spark has the rest of what it needs. Its provider of tokens is asked nothing where there are none.
"""


def jars(wanted: Jars) -> Path:
    """The directory with the jars; `Unavailable` if they cannot be had."""
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "tocsin" / "jars" / wanted.name
    if not folder.is_dir():
        maven = shutil.which("mvn")
        if maven is None:
            raise Unavailable(f"mvn is not installed: it needs Maven to get {wanted.name} (apt-get install maven)")
        with made_whole(folder) as scratch:
            project = scratch.parent / "pom.xml"
            project.write_text(_project(wanted), encoding="utf-8")
            command = [maven, "--batch-mode", "--quiet", "--file", str(project), COPY_DEPENDENCIES]
            options = ["-DincludeScope=runtime", f"-DoutputDirectory={scratch}"]
            run_to_its_end([*command, *options], FETCHING, f"mvn cannot get {wanted.name}")
    return folder


def connector_settings() -> dict[str, str]:
    """The settings of Spark's that give it the connector."""
    return {"spark.jars": ",".join(str(path) for path in sorted(jars(CONNECTOR).glob("*.jar")))}


def _project(wanted: Jars) -> str:
    """The least that Maven takes for a project."""
    nothing = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
    dependencies = ""
    for each in wanted.artifacts:
        group, artifact, version = each.split(":")
        named = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        dependencies += f"<dependency>{named}{nothing if wanted.alone else ''}</dependency>"
    itself = "<groupId>tocsin</groupId><artifactId>jars</artifactId><version>1</version>"
    return f"<project><modelVersion>4.0.0</modelVersion>{itself}<dependencies>{dependencies}</dependencies></project>\n"
