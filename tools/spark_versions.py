"""Runs the core of the tests of Spark on each version of PySpark that Tocsin is for: `make test-spark-versions`.

Each version has an environment of its own in `build/spark/`: PySpark in that version, and everything else as in the
project's. What is kept there is used again.

    python tools/spark_versions.py [--only 3.5.8,4.0.2] [what pytest is given]
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

VERSIONS: Final = ("3.5.8", "4.0.2", "4.1.1", "4.2.0", "4.3.0")
CORE: Final = tuple(
    f"tests/spark/test_{name}.py"
    for name in (
        "conformance_spark",
        "contents",
        "frames",
        "lakes",
        "namesakes",
        "nested",
        "older",
        "random",
        "repeats",
        "shard_numbers",
        "shards",
        "slices",
        "tables",
        "watermarks",
    )
)
"""What every version has to pass. Brokers, pipelines and kills are tried with the newest alone."""
HOME: Final = Path(__file__).parents[1]


def main() -> int:
    """Tests on all versions; how many of them failed."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(VERSIONS), help="versions, with commas between them")
    asked, given = parser.parse_known_args()
    failed = [version for version in asked.only.split(",") if not _is_good(version, given or list(CORE))]
    print("PySpark:", "all good" if not failed else f"tests fail on {', '.join(failed)}")
    return len(failed)


def _is_good(version: str, given: list[str]) -> bool:
    python = environment(version)
    print(f"--- PySpark {version}", flush=True)
    settings = {name: value for name, value in os.environ.items() if name not in ("SPARK_HOME", "PYSPARK_PYTHON")}
    settings |= {"PYTHONPATH": str(HOME / "src"), "PYSPARK_PYTHON": str(python)}
    # What is deprecated in one version of Spark and not in another is no fault of ours.
    command = [str(python), "-m", "pytest", "-q", "-n", "0", "-W", "default", *given]
    return subprocess.run(command, cwd=HOME, env=settings, check=False).returncode == 0


def environment(version: str) -> Path:
    """The Python of the environment for a version, which is made if it is not there."""
    home = HOME / "build" / "spark" / version
    python, done = home / "bin" / "python", home / ".done"
    if not done.exists():
        venv.create(home, with_pip=True, clear=True)
        (packages,) = home.glob("lib/python*/site-packages")
        (known,) = (Path(sys.prefix)).glob("lib/python*/site-packages")
        (packages / "project.pth").write_text(f"{known}\n")  # after its own: so its own PySpark is the one
        install = ["install", "--quiet", "--disable-pip-version-check", "--no-build-isolation", f"pyspark=={version}"]
        subprocess.run([str(python), "-m", "pip", *install], check=True)
        done.touch()
    return python


if __name__ == "__main__":
    sys.exit(main())
