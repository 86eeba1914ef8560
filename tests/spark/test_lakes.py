"""The job of the page about Delta and Iceberg, with their runtimes, which there are for PySpark 4.0.

`make test-spark-versions` runs this; with other versions it is left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, PLAIN, closing, expected, rows
from tocsin.bench.brokers.jars import Jars, jars
from tocsin.bench.peers.jars import Unavailable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lakes.md"
DELTA = Jars(
    "delta-4.0.1",
    (
        "io.delta:delta-spark_2.13:4.0.1",
        "io.delta:delta-storage:4.0.1",
        "org.antlr:antlr4-runtime:4.13.1",
    ),
    alone=True,
)
ICEBERG = Jars("iceberg-1.10.0-spark-4.0", ("org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.0",), alone=True)
GIVEN = rows(200)


def settings(kind: str, home: Path) -> dict[str, str]:
    made = {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2", "spark.ui.enabled": "false"}
    made |= {"spark.sql.warehouse.dir": str(home / "warehouse"), "spark.sql.session.timeZone": "UTC"}
    made["spark.driver.extraJavaOptions"] = f"-Dderby.system.home={home}"
    if kind == "delta":
        made["spark.sql.catalogImplementation"] = "hive"  # names of tables that are known after the job, too
        made["spark.sql.extensions"] = "io.delta.sql.DeltaSparkSessionExtension"
        made["spark.sql.catalog.spark_catalog"] = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
    else:
        made["spark.sql.extensions"] = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
        made["spark.sql.catalog.lake"] = "org.apache.iceberg.spark.SparkCatalog"
        made |= {"spark.sql.catalog.lake.type": "hadoop", "spark.sql.catalog.lake.warehouse": str(home / "lake")}
    found = jars(DELTA if kind == "delta" else ICEBERG)
    return made | {"spark.jars": ",".join(map(str, sorted(found.glob("*.jar"))))}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_the_job(kind: str, tmp_path: Path) -> None:
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not pyspark.__version__.startswith("4.0."):
        pytest.skip("the runtimes of Delta and Iceberg that are tried are those for PySpark 4.0")
    try:
        given = settings(kind, tmp_path)
    except Unavailable as error:
        pytest.skip(str(error))
    (tmp_path / "lake.py").write_text(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[0])
    (tmp_path / "fill.py").write_text(FILL)
    space = "default" if kind == "delta" else "lake.security"
    tables = [f"{space}.events", f"{space}.found"]
    half = len(GIVEN) // 2
    for some in (GIVEN[:half], [*GIVEN[half:], closing()]):
        run(tmp_path, given, "fill.py", kind, tables[0], write(tmp_path, some))
        run(tmp_path, given, "lake.py", kind, *tables, str(tmp_path / "checkpoint"))
    run(tmp_path, given, "fill.py", kind, tables[1], "")
    found = (tmp_path / "ids").read_text().split()
    assert sorted(found) == sorted(expected(GIVEN, [PAIR]))
    assert found


FILL = f'''
"""Appends a file to a table; or writes down the ids that a table has."""
import sys
from pathlib import Path
from pyspark.sql import SparkSession
kind, table, path = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
if path:
    rows = spark.read.schema("{PLAIN}").json(path)
    if spark.catalog.tableExists(table):
        rows.writeTo(table).append()
    else:
        if "." in table.removeprefix("default."):
            spark.sql("create namespace if not exists " + table.rpartition(".")[0])
        rows.writeTo(table).using(kind).create()
else:
    Path("ids").write_text("\\n".join(row["id"] for row in spark.table(table).select("id").collect()))
spark.stop()
'''


def write(home: Path, given: list[dict[str, Any]]) -> str:
    """Rows as a file that Spark reads."""
    import json

    path = home / f"{given[0]['id']}.json"
    path.write_text("".join(json.dumps(row | {"time": row["time"].isoformat()}) + "\n" for row in given))
    return str(path)


def run(home: Path, given: dict[str, str], script: str, *words: str) -> None:
    """A script under `spark-submit`, with settings."""
    import pyspark

    options = [word for name, value in given.items() for word in ("--conf", f"{name}={value}")]
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), *options, script, *words]
    settled = {"PYTHONPATH": str(Path(tc.__file__).parents[1]), "PYSPARK_PYTHON": sys.executable}
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_HOME"} | settled
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False, timeout=400)
    said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if " INFO " not in line)
    assert done.returncode == 0, said[-6000:]
