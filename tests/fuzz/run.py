"""`make fuzz`: mutated texts for every parser, and texts of ten megabytes.

    python tests/fuzz/run.py [--count N] [--seed S] [--parser NAME] [--number K] [--no-large]

Prints every failure with the text and the seed that makes it again, and at the end `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tests.fuzz.fuzzing import PARSERS, SUBJECTS, Subject, complaint, mutated
from tests.languages.large import CHAINS, LARGE, MANY
from tocsin.errors import RuleError, Source

STEP = 1_000
SIZE = 10_000_000
GROWTH = 25
"""Ten times the text may take this many times as long: more than ten, for memory is slower than caches."""


def main(arguments: list[str] | None = None) -> int:
    """Runs what the command line asks for; 1 if anything failed."""
    options = _options(arguments)
    subjects = [s for s in SUBJECTS if options.parser in (None, s.name)]
    passed = failed = 0
    for subject in subjects:
        good, bad = _fuzz(subject, options.count, options.seed, options.number)
        passed, failed = passed + good, failed + bad
    if not options.no_large and options.number is None and options.parser is None:
        good, bad = _large()
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mutated texts for every parser.")
    parser.add_argument("--count", type=int, default=100_000, help="texts for each parser (100000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parser", choices=[subject.name for subject in SUBJECTS], help="only this one")
    parser.add_argument("--number", type=int, help="only the text of this number: to see a failure again")
    parser.add_argument("--no-large", action="store_true", help="without the texts of ten megabytes")
    return parser.parse_args(arguments)


def _fuzz(subject: Subject, count: int, seed: int, only: int | None) -> tuple[int, int]:
    """How many texts passed and failed."""
    failed = 0
    numbers = range(count) if only is None else range(only, only + 1)
    for number in numbers:
        text = mutated(subject, seed, number)
        if problem := complaint(subject, text):
            failed += 1
            _report(subject, f"--seed {seed} --parser {subject.name} --number {number}", text, problem)
        if number % STEP == STEP - 1:
            _progress(f"{subject.name}: {number + 1:,} of {count:,}, {failed} failed")
    _progress(f"{subject.name}: {len(numbers):,} texts, {failed} failed\n")
    return len(numbers) - failed, failed


def _large() -> tuple[int, int]:
    """Texts of ten megabytes: taken at all, and in time that grows as one megabyte's does."""
    passed = failed = 0
    for kind, make in (LARGE | MANY | CHAINS).items():
        for name in _readers(kind):
            small, large = _seconds(PARSERS[name], make(SIZE // 10)), _seconds(PARSERS[name], make(SIZE))
            bad = large > GROWTH * small + 2
            passed, failed = passed + (not bad), failed + bad
            _progress(f"ten megabytes of {kind}, {name}: {large:.1f} s\n")
            if bad:
                print(f"\nFAILED {name}: 1 MB of {kind} took {small:.1f} s, 10 MB {large:.1f} s", flush=True)
    return passed, failed


def _readers(kind: str) -> Iterable[str]:
    """The parsers that read such a text whole; the others would stop at its first token."""
    if kind in LARGE:
        return PARSERS
    if kind in CHAINS:
        return ("gem",)
    return ("eps-document",) if kind == "requests" else ("gem-script",)


def _seconds(parse: Callable[[Source], object], text: str) -> float:
    begin = time.perf_counter()
    with contextlib.suppress(RuleError):
        parse(Source(text, "fuzz"))
    return time.perf_counter() - begin


def _report(subject: Subject, again: str, text: str, problem: str) -> None:
    shown = text if len(text) < 2_000 else text[:2_000] + "..."
    print(f"\nFAILED {subject.name}: {problem[:2_000]}\n  input: {shown!r}\n  again: {again}", flush=True)


def _progress(text: str) -> None:
    if sys.stderr.isatty() or text.endswith("\n"):
        sys.stderr.write(f"\r\x1b[K{text}" if sys.stderr.isatty() else text)
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
