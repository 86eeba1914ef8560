"""What *would have fired* costs, by stages: `python -m demo.backtest_speed [--events N]`, in processor time.

A log of bodies of 100 events is written to a folder that is gone afterwards; then rules are tried on all of it, the
first time and after a change.
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from tocsin.service.admission import Admission
from tocsin.service.backtests import backtest
from tocsin.service.kept import Kept
from tocsin.service.past import Past
from tocsin.service.questions import SELDOM
from tocsin.service.records import Entry, Kind, Writes
from tocsin.service.store import Store, open_store

BODY: Final = 100
TYPES: Final = ("failed", "login", "ping", "door")
RULES: Final = {
    "hardly fires": "f:failed ; l:login when f.ip = l.ip and f.n = 3 and l.n = 4",
    "fires often": "f:failed ; l:login when f.ip = l.ip",
}


def write(place: str, events: int) -> None:
    """A hundred events a second, from ten thousand addresses."""
    store, admission, chance = open_store(place), Admission(None), random.Random(3)
    store.acquire()
    at = 1_700_000_000.0
    for position in range(1, events // BODY + 1):
        lines = []
        for number in range(BODY):
            at += 0.01
            ip, name = f"10.0.{chance.randrange(40)}.{chance.randrange(250)}", f"e{position * BODY + number}"
            lines.append(
                f'{{"type":"{chance.choice(TYPES)}","source":"s{number % 5}","id":"{name}","time":{at:.3f},'
                f'"ip":"{ip}","n":{chance.randrange(100)}}}'
            )
        now = int(at * 1e6)
        told = admission.take("\n".join(lines).encode(), now)
        times = {"low": told.low, "high": told.high}
        entry = Entry(position, Kind.EVENTS, now, told.body, "", told.accepted, told.first, types=told.types, **times)
        store.commit(Writes(serial=position, entries=[entry]))
    store.close()


def stages(store: Store) -> None:
    """Prints what each stage takes."""
    begun = time.process_time()
    size = sum(len(entry.body) for entry in Kept(store).entries())
    print(f"{size / 1e6:.0f} MB read: {time.process_time() - begun:.2f} s")
    for name, expression in RULES.items():
        past = Past(store)
        document = {"name": "tried", "language": "gem", "expression": expression, "window": "10 min"}
        given = {"requests": {}, "defaults": {}, "document": document}
        for turn in ("the first time", "after a change"):
            begun = time.process_time()
            told = backtest(past, given, lambda progress: None)
            taken = time.process_time() - begun
            print(f"a rule that {name}, {turn}: {told['detections']:,} detections, {taken:.2f} s")


def main() -> None:
    """Writes, and tries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    gc.set_threshold(*SELDOM)
    with tempfile.TemporaryDirectory(prefix="tocsin-backtest-") as home:
        place = str(Path(home) / "log.db")
        write(place, parser.parse_args().events)
        stages(open_store(place, read_only=True))


if __name__ == "__main__":
    main()
