"""`make fuzz-engine`: random rules on random logs, the engine against the plain meaning.

    python tests/fuzz/engine.py [--examples N] [--seed S] [--jobs J] [--number K] [--table]

An example is made from the seed and its number alone: `--number` runs one again. What differs is printed in its
smallest form and written as a script to build/fuzz/. `--table` prints, for every operator, context and policy, in
how many examples a rule on the engine that needs the operator has fired.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tests.engine.comparing import Cell, TooLong, difference
from tests.engine.shrinking import script, shrunk
from tests.engine.strategies import OPERATORS, POLICIES, Example, example
from tocsin.algebra.rules import SEARCHED

CHUNK = 250
MOST_FAILED = 200
"""After so many differences it stops."""
STEP = 10_000
"""Examples between two lines of progress, where it is not shown on a terminal."""
SCRIPTS = Path(__file__).resolve().parents[2] / "build" / "fuzz"


def numbered(seed: int, number: int) -> Example:
    """The example of a number: operators, contexts and policies take turns."""
    random = Random(f"{seed}/{number}")
    turn, operator = divmod(number, len(OPERATORS))
    context = SEARCHED[turn % len(SEARCHED)]
    policy = POLICIES[turn // len(SEARCHED) % len(POLICIES)]
    return example(random, OPERATORS[operator], context, policy)


def run(seed: int, numbers: range) -> tuple[int, list[tuple[int, str]], Counter[Cell]]:
    """How many examples were run, which of them differ and how, and the cells that were met."""
    cells: Counter[Cell] = Counter()
    failed = []
    for number in numbers:
        one = numbered(seed, number)
        try:
            told = difference(one, cells)
        except TooLong:
            print(f"\nleft out: the plain meaning takes too long for --seed {seed} --number {number}", flush=True)
            continue
        if told:
            failed.append((number, told))
    return len(numbers), failed, cells


def main(arguments: list[str] | None = None) -> int:
    """Runs what the command line asks for; 1 if anything differs."""
    options = _options(arguments)
    first = options.first if options.number is None else options.number
    stop = first + (options.examples if options.number is None else 1)
    chunks = [range(start, min(start + CHUNK, stop)) for start in range(first, stop, CHUNK)]
    cells: Counter[Cell] = Counter()
    done = failed = 0
    begin = time.monotonic()
    for count, problems, seen in _results(partial(run, options.seed), chunks, options.jobs):
        done += count
        cells.update(seen)
        for number, told in problems:
            _report(options.seed, number, told, shrink=failed < options.most_shrunk)
            failed += 1
        if failed >= MOST_FAILED:
            print(f"\nstopped: {failed} of {done} examples differ", flush=True)
            return 1
        rate = done / (time.monotonic() - begin)
        line_end = "" if done % STEP else "\n"
        _progress(f"{done:,} of {stop - first:,} examples, {failed} differ, {rate:.0f} a second{line_end}")
    _progress(f"{done:,} examples, {failed} differ, {done / (time.monotonic() - begin):.0f} a second\n")
    if options.table:
        print(table(cells))
    else:
        print(f"{done - failed} passed, {failed} failed")
    return 1 if failed else 0


def _results(work, chunks, jobs: int) -> Iterator[tuple[int, list[tuple[int, str]], Counter[Cell]]]:  # type: ignore[no-untyped-def]  # see `run`
    if jobs == 1:
        yield from map(work, chunks)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(work, chunks)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random rules on random logs: the engine against the plain meaning.")
    parser.add_argument("--examples", type=int, default=None, help="how many (1000000; for the table 2880)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first example")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--number", type=int, help="only the example of this number: to see a difference again")
    parser.add_argument("--table", action="store_true", help="print which operators were put to the test")
    parser.add_argument("--most-shrunk", type=int, default=20, help="differences that are made smaller (20)")
    options = parser.parse_args(arguments)
    if options.examples is None:
        options.examples = 2_880 if options.table else 1_000_000
    return options


def table(cells: Counter[Cell]) -> str:
    """The cells as a table in Markdown: a row an operator, a column a context and a policy."""
    columns = [(context.value, policy) for context in SEARCHED for policy in POLICIES]
    lines = ["| operator | " + " | ".join(f"{context}, {policy}" for context, policy in columns) + " |"]
    lines.append("| --- |" + " ---: |" * len(columns))
    for operator in OPERATORS:
        counts = [cells[operator, context, policy] for context, policy in columns]
        lines.append(f"| {operator} | " + " | ".join(map(str, counts)) + " |")
    return "\n".join(lines)


def _report(seed: int, number: int, told: str, *, shrink: bool) -> None:
    again = f"--seed {seed} --number {number}"
    print(f"\nFAILED {again}: {told[:2_000]}", flush=True)
    if not shrink:
        return
    smallest = shrunk(numbered(seed, number), lambda each: _still_fails(each, told))
    path = SCRIPTS / f"engine_{seed}_{number}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(smallest, f"tests/fuzz/engine.py {again}, made smaller", difference(smallest)))
    print(f"  smallest: {path}", flush=True)


def _still_fails(one: Example, told: str) -> bool:
    """Whether a smaller example fails in the same way: a failure does not become a difference, nor a count one."""
    try:
        found = difference(one)
    except Exception:  # noqa: BLE001 - what the meaning cannot run is no example
        return False
    return bool(found) and _manner(found) == _manner(told)


def _manner(told: str) -> str:
    return told.partition(" (")[0] if told.startswith("the engine fails") else told[:17]


def _progress(text: str) -> None:
    if sys.stderr.isatty() or text.endswith("\n"):
        sys.stderr.write(f"\r\x1b[K{text}" if sys.stderr.isatty() else text)
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
