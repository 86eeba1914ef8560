"""What *why* costs on a click, in processor time of the service and of those who answer: `python -m demo.why_speed`.

20,000 events are sent to a service of its own; then it is asked of the latest detections, one after the other, why.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from pathlib import Path
from typing import Any, Final

from demo.serving import Served

QUESTIONS: Final = 30
RULE: Final = {"name": "guessing", "language": "gem", "expression": "f:failed ; l:login when f.ip = l.ip"}


def spent(process: int) -> float:
    """Seconds of processor time of a process and of those that it has begun."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    mine = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    begun = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return mine + sum(spent(int(each)) for each in begun)


def send(served: Served) -> None:
    """A hundred events a second, from ten thousand addresses."""
    chance, at = random.Random(1), time.time() - 300
    for _ in range(100):
        body: list[dict[str, Any]] = []
        for _ in range(200):
            at += 0.01
            ip, kind = (
                f"10.0.{chance.randrange(40)}.{chance.randrange(250)}",
                chance.choice(("failed", "login", "ping")),
            )
            body.append({"type": kind, "source": "web", "ip": ip, "time": at})
        served.client.call("POST", "/v1/events", body)


def main() -> None:
    """Asks."""
    served = Served(0)
    try:
        served.client.call("POST", "/v1/requests", RULE | {"window": "10 min"})
        send(served)
        while served.client.call("GET", "/v1/status")["queued_bytes"]:
            time.sleep(0.1)
        found = served.client.call("GET", "/v1/detections", newest=True, limit=QUESTIONS)["items"]
        served.client.call("GET", "/v1/why", detection=found[0]["id"])  # then the process that answers is there
        begun, took = spent(served.process), list[float]()
        for each in found:
            asked = time.monotonic()
            served.client.call("GET", "/v1/why", detection=each["id"])
            took.append(time.monotonic() - asked)
        cost = (spent(served.process) - begun) / len(found)
        p95 = statistics.quantiles(took, n=20)[-1]
        print(f"{1000 * cost:.0f} ms of processor time; by the clock {1000 * statistics.median(took):.0f} ms (median),")
        print(f"{1000 * p95:.0f} ms (p95), at a load average of {os.getloadavg()[0]:.0f}")
    finally:
        served.stop()


if __name__ == "__main__":
    main()
