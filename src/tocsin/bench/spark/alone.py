"""One figure of one process: W1 in batch with a given number of cores. Called by `figures.cores`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tocsin.bench.spark.contenders import detection
from tocsin.bench.spark.figures import Answer, Measuring
from tocsin.bench.workloads import WORKLOADS


def main(path: str, number: str, tries: str) -> None:
    """Prints the least CPU time and what was found, as JSON."""
    m = Measuring(Path(path).parent, tries=int(tries), cores=int(number))
    found: list[Answer] = []
    (least,) = m.least([lambda: found.append(m.batch(path, detection(WORKLOADS["W1"].rules)))])
    print(json.dumps({"seconds": least, "answer": found[-1]}))
    m.spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
