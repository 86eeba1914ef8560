"""What each rule costs: it is run alone, with the rules it uses by name, on a sample, in the engine embedded here.

Processor time of this thread and the rows held at most. Together rules cost less than the sum, for what is equal in
them is done once: so this says which rules are dear, not what all cost.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, cast

from tocsin.algebra.rules import Program
from tocsin.backtest.findings import Cost, Costs
from tocsin.engine import engine
from tocsin.events import Event
from tocsin.rules.programs import only_rules
from tocsin.runtime import Options, Runtime
from tocsin.session import Session

PIECE: Final = 1024
"""Events taken at a time; the rows held are counted between two such pieces."""


def is_compiled() -> bool:
    """Whether the engine runs compiled, not interpreted."""
    return not str(engine.__file__).endswith(".py")


def costs_of(session: Session, sample: Sequence[Event]) -> Costs:
    """The cost of each rule that reports something."""
    names = [rule.name for rule in session.program.rules if not rule.hidden]
    measured = (_cost(session, only_rules(session.program, {name}), name, sample) for name in names)
    return Costs(len(sample), is_compiled(), tuple(sorted(measured, key=lambda cost: cost.rule)))


def _cost(session: Session, program: Program, name: str, sample: Sequence[Event]) -> Cost:
    rules = Runtime(program, Options(granularity=session.options.granularity), is_alone=True)
    spent, held, told = 0.0, 0, dict[str, Any]()
    for start in range(0, len(sample), PIECE):
        piece = list(sample[start : start + PIECE])
        before = time.thread_time()
        rules.process(cast("list[Any]", piece))
        spent += time.thread_time() - before
        told = cast("dict[str, Any]", rules.stats())
        held = max(held, told["held"])
    own = told.get("rules", {}).get(name, {})
    is_counted = own.get("engine") == "network"
    return Cost(name, spent, own.get("seen") if is_counted else None, held if is_counted else None)
