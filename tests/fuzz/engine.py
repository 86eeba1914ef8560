"""`make fuzz-engine`: random rules on random logs, the engine against the plain meaning.

    python tests/fuzz/engine.py [--of KIND] [--examples N] [--seed S] [--jobs J] [--number K] [--table]

An example is made from its kind, the seed and its number alone: `--number` runs one again. What differs is printed in
its smallest form and written as a script to build/fuzz/. The kinds are rules in the searched contexts, those that
remember what they use up, automata, 2g stamps in all contexts, rules that feed each other by name, plain rules by key on logs that are long for what
they hold, and rules with much to choose from on logs whose values recur (`tests/engine/kinds.py`). `--table` prints, for every operator, context (or run) and policy, in how many
examples a rule that needs the operator has fired; of the searched contexts those in the network alone are counted.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tests.engine.comparing import Cell, TooLong, difference
from tests.engine.kinds import KINDS
from tests.engine.shrinking import script, shrunk
from tests.engine.strategies import POLICIES, Example

CHUNK = 250
MOST_FAILED = 200
"""After so many differences it stops."""
STEP = 10_000
"""Examples between two lines of progress, where it is not shown on a terminal."""
SCRIPTS = Path(__file__).resolve().parents[2] / "build" / "fuzz"


def numbered(seed: int, number: int, of: str = "searched") -> Example:
    """The example of a number: operators, contexts and policies take turns."""
    return KINDS[of].numbered(seed, number)


def run(seed: int, numbers: Iterable[int], of: str = "searched") -> tuple[int, list[tuple[int, str]], Counter[Cell]]:
    """How many examples were run, which of them differ and how, and the cells that were met."""
    cells: Counter[Cell] = Counter()
    failed = []
    done = 0
    for number in numbers:
        done += 1
        try:
            told = difference(numbered(seed, number, of), cells, KINDS[of].cells_of)
        except TooLong:
            print(f"\nleft out: the plain meaning takes too long for {_again(of, seed, number)}", flush=True)
            continue
        if told:
            failed.append((number, told))
    return done, failed, cells


def main(arguments: list[str] | None = None) -> int:
    """Runs what the command line asks for; 1 if anything differs."""
    options = _options(arguments)
    # All of them, though one fails.
    return max([_compared(options, of) for of in (KINDS if options.of == "all" else [options.of])])


def _compared(options: argparse.Namespace, of: str) -> int:
    """Runs the examples of one kind; 1 if anything differs."""
    first = options.first if options.number is None else options.number
    stop = first + (_count(options, of) if options.number is None else 1)
    chunks = [range(start, min(start + CHUNK, stop)) for start in range(first, stop, CHUNK)]
    cells: Counter[Cell] = Counter()
    done = failed = 0
    begin = time.monotonic()
    for count, problems, seen in _results(partial(run, options.seed, of=of), chunks, options.jobs):
        done += count
        cells.update(seen)
        for number, told in problems:
            _report(of, options.seed, number, told, shrink=failed < options.most_shrunk)
            failed += 1
        if failed >= MOST_FAILED:
            print(f"\nstopped: {failed} of {done} examples differ", flush=True)
            return 1
        rate = done / (time.monotonic() - begin)
        line_end = "" if done % STEP else "\n"
        _progress(f"{done:,} of {stop - first:,} examples, {failed} differ, {rate:.0f} a second{line_end}")
    _progress(f"{done:,} examples, {failed} differ, {done / (time.monotonic() - begin):.0f} a second\n")
    shown = table(cells, of) if options.table else f"{done - failed} passed, {failed} failed"
    print(f"{of}:\n\n{shown}\n" if options.of == "all" else shown)
    return 1 if failed else 0


def _results(work, chunks, jobs: int) -> Iterator[tuple[int, list[tuple[int, str]], Counter[Cell]]]:  # type: ignore[no-untyped-def]  # see `run`
    if jobs == 1:
        yield from map(work, chunks)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(work, chunks)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random rules on random logs: the engine against the plain meaning.")
    parser.add_argument(
        "--examples", type=int, default=None, help="how many of a kind (1000000; for the table some for each cell)"
    )
    parser.add_argument("--of", choices=[*KINDS, "all"], default="searched", help="the kind of examples (searched)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first example")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--number", type=int, help="only the example of this number: to see a difference again")
    parser.add_argument("--table", action="store_true", help="print which operators were put to the test")
    parser.add_argument("--most-shrunk", type=int, default=20, help="differences that are made smaller (20)")
    return parser.parse_args(arguments)


def _count(options: argparse.Namespace, of: str) -> int:
    if options.examples is not None:
        return int(options.examples)
    return KINDS[of].rounds * len(KINDS[of].cells) if options.table else 1_000_000


def table(cells: Counter[Cell], of: str = "searched") -> str:
    """The cells as a table in Markdown: a row an operator, a column a context (or a run) and a policy.

    A cell that cannot be met has a dash.
    """
    kind = KINDS[of]
    columns = [(column, policy) for column in kind.columns for policy in POLICIES]
    lines = ["| operator | " + " | ".join(f"{column}, {policy}" for column, policy in columns) + " |"]
    lines.append("| --- |" + " ---: |" * len(columns))
    for operator in kind.operators:
        counts = [
            "-" if (operator, column) in kind.impossible else str(cells[operator, column, policy])
            for column, policy in columns
        ]
        lines.append(f"| {operator} | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def _again(of: str, seed: int, number: int) -> str:
    """The options that run an example again."""
    return f"{'' if of == 'searched' else f'--of {of} '}--seed {seed} --number {number}"


def _report(of: str, seed: int, number: int, told: str, *, shrink: bool) -> None:
    again = _again(of, seed, number)
    print(f"\nFAILED {again}: {told[:2_000]}", flush=True)
    if not shrink:
        return
    smallest = shrunk(numbered(seed, number, of), lambda each: _still_fails(each, told))
    path = SCRIPTS / f"{'engine' if of == 'searched' else of}_{seed}_{number}.py"
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
