"""`tocsin test`: rules with given events and expected detections, in files beside the rules."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tocsin.commands.shared_options import say
from tocsin.errors import TextError, UsageError
from tocsin.events import Event
from tocsin.formats import event_line
from tocsin.testing.cases import RUNTIMES, Case, CaseFile
from tocsin.testing.coverage import Coverage
from tocsin.testing.differences import aligned, failure, fired, hint
from tocsin.testing.discovery import discovered
from tocsin.testing.files import read_cases
from tocsin.testing.junit import Suite, junit
from tocsin.testing.settings import runtimes_of
from tocsin.testing.updates import expectation, updated, written
from tocsin.testing.verdicts import PERMUTATIONS, Asked, Outcome, Trial, is_spark, judge, judge_on_spark, trials

EXAMPLES = """\
a test file, network.test.yaml, beside network.gem:
  rules: network.gem
  cases:
    - name: a link that stays down is reported
      given: |
        d1: 0   link_down link=core-1 building=B1
        10      link_up   link=core-2 building=B1
      within_delay: 5 s            # the same in every order of arrival, no event later than this
      expect:
        - {rule: link_dead, events: [d1], time: 120}

examples:
  tocsin test                      # every *.test.yaml and *_test.yaml under this directory
  tocsin test network.gem          # the test file beside it
  tocsin test rules/ -k link --coverage
  tocsin test rules/ --runtimes all --junit report.xml
  tocsin test rules/network.test.yaml --permutations 500 --seed 7
  tocsin test rules/ --update      # fills in expectations that are missing; asks before it changes one that fails

exit code: 0 all passed, 1 some did not, 2 there is nothing to test
"""


KEPT = "failed"
"""The directory that is proposed for the events of failed cases."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `test`."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="test files, or directories of them")
    parser.add_argument(
        "--runtimes", metavar="NAMES", help=f"all, or a comma-separated choice of {', '.join(RUNTIMES)}"
    )
    parser.add_argument(
        "-k", dest="only", metavar="TEXT", default="", help="only cases with this text in the file or case name"
    )
    parser.add_argument("--junit", metavar="FILE", help="write a JUnit XML report")
    parser.add_argument(
        "--permutations",
        type=int,
        default=PERMUTATIONS,
        metavar="N",
        help="orders of arrival to try if a case wants it",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed for random orders")
    parser.add_argument("--coverage", action="store_true", help="report for each rule and alternative whether it fired")
    parser.add_argument("--update", action="store_true", help="save the actual detections as the expected ones")
    parser.add_argument("--yes", action="store_true", help="with --update: also if a case fails, without asking")
    parser.add_argument("--keep", metavar="DIR", help="keep the events of failed cases in DIR, as JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Runs every case that is found; tells of each, then of what failed, then the whole."""
    begin = time.perf_counter()
    if options.permutations < 0:
        raise UsageError("--permutations is a number from 0 on")
    if options.yes and not options.update:
        raise UsageError("--yes goes with --update")
    asked = Asked(() if options.runtimes is None else runtimes_of(options.runtimes), options.permutations, options.seed)
    testing = _Testing(asked, options)
    for path in discovered(options.paths):
        testing.read(path)
    if not testing.files and not testing.suites:
        say(f"no tests found: no {'case with ' + repr(options.only) if options.only else '*.test.yaml or *_test.yaml'}")
        return 2
    testing.run()
    testing.tell(time.perf_counter() - begin)
    if options.junit is not None:
        Path(options.junit).write_text(junit(testing.suites, options.seed), encoding="utf-8")
    return int(any(suite.failures or suite.error is not None for suite in testing.suites))


class _Testing:
    """The files, the cases that were chosen, and how they did."""

    def __init__(self, asked: Asked, options: argparse.Namespace) -> None:
        self.asked, self.options = asked, options
        self.files: list[tuple[CaseFile, list[Case]]] = []
        self.suites: list[Suite] = []
        self.coverage = Coverage(options.coverage)
        self._on_spark: dict[tuple[int, str], Outcome] = {}
        self._failures: list[tuple[Case, list[Outcome]]] = []
        self._marks = _marks()

    def read(self, path: Path) -> None:
        """A test file. One that cannot be read is told of, and the others go on."""
        try:
            file = read_cases(path)
        except TextError as error:
            print(error, file=sys.stderr)
            self.suites.append(Suite(str(path), error=error))
            return
        wanted = self.options.only.lower()
        cases = [case for case in file.cases if wanted in f"{path}::{case.name}".lower()]
        if cases:
            self.files.append((file, cases))

    def run(self) -> None:
        """Every case in every runtime: on Spark all in one job, then one after the other."""
        planned = [[trials(case, self.asked) for case in cases] for _, cases in self.files]
        self._run_on_spark([trial for cases in planned for some in cases for trial in some])
        for (file, cases), plans in zip(self.files, planned, strict=True):
            print(file.path)
            names = max(len(case.name) for case in cases)
            outcomes: list[Outcome] = []
            for case, some in zip(cases, plans, strict=True):
                mine = [self._on_spark.get((id(case), trial.runtime)) or judge(trial) for trial in some]
                if self.options.coverage:
                    self.coverage.add(case)
                else:
                    self.coverage.note(case, mine[0].found)
                print(self._line(case, mine, names), flush=True)
                if not all(outcome.is_good for outcome in mine):
                    self._failures.append((case, mine))
                outcomes += mine
            self.suites.append(Suite(file.path, tuple(outcomes)))
            if self.options.update:
                self._update(file, outcomes)

    def _run_on_spark(self, planned: Sequence[Trial]) -> None:
        for runtime in filter(is_spark, RUNTIMES):
            some = [trial for trial in planned if trial.runtime == runtime]
            if some:
                orders = sum(len(trial.delays) for trial in some)
                say(f"{_count(len(some), 'case')} and {_count(orders, 'order')} of arrival on {runtime}, in one job")
                for trial, outcome in zip(some, judge_on_spark(some), strict=True):
                    self._on_spark[id(trial.case), runtime] = outcome

    def _line(self, case: Case, outcomes: Sequence[Outcome], width: int) -> str:
        good = all(outcome.is_good for outcome in outcomes)
        mark = self._marks[good]
        orders = max(outcome.orders for outcome in outcomes)
        tried = f", {_count(orders, 'order')}" if orders else ""
        did = "refused" if case.refusal is not None else fired(outcomes[0].found)
        return f"  {mark} {case.name.ljust(width)}  {did}  ({' '.join(each.runtime for each in outcomes)}{tried})"

    # -- afterwards ------------------------------------------------------------------------------------------------

    def tell(self, seconds: float) -> None:
        """What failed, the rules, and the whole in a line."""
        for case, outcomes in self._failures:
            place = case.place
            print(f"\n{self._marks[False]} {place.file}:{place.line}: {case.name}")
            for line in failure(outcomes, self.asked.seed):
                print(f"    {line}")
            said = hint(case, outcomes, self._kept(case, outcomes))
            if said is not None:
                first = "" if self.options.keep is not None else f"run again with --keep {KEPT}, then "
                print(f"    to see why: {first}{said}")
        for line in self._coverage_lines():
            print(line)
        print()
        for line in self._summary(seconds):
            print(line)

    def _summary(self, seconds: float) -> Iterator[str]:
        """The cases by runtime, as a table; then the whole."""
        outcomes = [outcome for suite in self.suites for outcome in suite.outcomes]
        rows = [("runtime", "passed", "failed", "orders", "seconds")]
        for runtime in RUNTIMES:
            some = [outcome for outcome in outcomes if outcome.runtime == runtime]
            if some:
                passed, orders = sum(each.is_good for each in some), sum(each.orders for each in some)
                took = f"{sum(each.seconds for each in some):.2f}"
                rows.append((runtime, str(passed), str(len(some) - passed), str(orders), took))
        yield from aligned(rows) if len(rows) > 1 else ()
        cases = sum(len(cases) for _, cases in self.files)
        failed, bad = len(self._failures), sum(suite.error is not None for suite in self.suites)
        parts = [_count(cases, "case"), f"{cases - failed} passed", f"{failed} failed"]
        parts += [f"{_count(bad, 'file')} that cannot be read"] if bad else []
        yield f"{', '.join(parts)} in {seconds:.1f} s"

    def _coverage_lines(self) -> Iterator[str]:
        rules = list(self.coverage.rules.values())
        if self.options.coverage and rules:
            yield ""
            rows = [("rule", "file", "cases", "fired in", "detections")]
            for each in rules:
                often = str(each.fired) if each.fired else "never"
                rows.append((each.rule, each.file, str(each.cases), often, str(each.detections)))
                for branch in each.branches:
                    line = "" if branch.line is None else f"{each.file}:{branch.line}"
                    rows.append((f"  | {branch.text}", line, "", str(branch.fired) if branch.fired else "never", ""))
            yield from aligned(rows)
        never = self.coverage.never
        if rules:
            yield ""
            yield f"rules: {len(rules) - len(never)} of {len(rules)} fired in some case"
            if never:
                yield f"never fired: {', '.join(each.rule for each in never)}"

    def _kept(self, case: Case, outcomes: Sequence[Outcome]) -> str:
        """The file that a failed case's events are left in, if that is asked for: in the order that failed."""
        folder = Path(self.options.keep or KEPT)
        name = Path(case.place.file).name.split(".")[0] + "-" + re.sub(r"\W+", "-", case.name).strip("-")[:80]
        path = folder / f"{name}.jsonl"
        if self.options.keep is None:
            return str(path)
        folder.mkdir(parents=True, exist_ok=True)
        orders = [outcome.misorder.arrivals for outcome in outcomes if outcome.misorder is not None]
        events = [*orders, case.given][0]
        lines = [event_line(event, case.style) + "\n" for event in events if isinstance(event, Event)]
        path.write_text("".join(lines), encoding="utf-8")
        return str(path)

    def _update(self, file: CaseFile, outcomes: Sequence[Outcome]) -> None:
        """Writes what was found where nothing was expected yet, and, if somebody agrees, where it was not found."""
        found = {}
        for outcome in outcomes:
            case = outcome.case
            if case.name in found or case.error is not None or outcome.misorder is not None:
                continue
            if case.expected.is_open or (not outcome.comparison.is_good and self._agrees(outcome)):
                found[case.name] = outcome.found
        if found:
            written(file, updated(file, found))
            say(f"{file.path}: {_count(len(found), 'case')} updated; look at what they expect now")

    def _agrees(self, outcome: Outcome) -> bool:
        if self.options.yes:
            return True
        if not sys.stdin.isatty():
            return False
        print(f"\n{outcome.case.name} found:")
        for one in outcome.found:
            print(f"  - {expectation(one, outcome.case)}")
        return input("expect this from now on? [y/N] ").strip().lower() in ("y", "yes")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _marks() -> dict[bool, str]:
    """Ticks and crosses, in colour on a terminal that has not said it wants none."""
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        return {True: "\033[32m✓\033[0m", False: "\033[31m✗\033[0m"}
    return {True: "✓", False: "✗"}
