"""A SparkSession of our own, for the commands that are given none: local, quiet, with this very Python."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from tocsin.errors import UsageError

SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
}


def local_session(**settings: str) -> Any:
    """The session that runs already, or a new one on this machine."""
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise UsageError("Spark needs Java 17: apt-get install openjdk-17-jre-headless")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    quiet = Path(__file__).with_name("log4j2.properties").as_uri()
    builder = SparkSession.builder.master("local[*]").appName("tocsin")
    # A query that is stopped within a micro-batch looks for the reason in Python's words, by a search that goes as deep
    # as they are long: with the usual stack it may end with a StackOverflowError on the terminal.
    builder = builder.config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={quiet} -Xss8m")
    for name, value in (SETTINGS | settings).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def reason_of(error: Exception) -> str:
    """What a failure of Spark's comes down to: the last line that was raised in a worker, or the first of all."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    raised = [line for line in lines if ": " in line and _is_error(line.split(":", 1)[0])]
    return raised[-1] if raised else lines[0] if lines else "Spark does not say why"


def _is_error(name: str) -> bool:
    """Whether a name is one of an exception: ours are in our package, whatever they are called."""
    return name.rpartition(".")[2].endswith("Error") or (name.startswith("tocsin.") and " " not in name)
