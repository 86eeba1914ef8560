"""What holds for a run as a whole, and for every rule that does not say otherwise itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tocsin.algebra.order import order_text
from tocsin.algebra.patterns import Automaton, Run
from tocsin.algebra.rules import BEST_EFFORT, Context, Order, Program, Rule
from tocsin.errors import UsageError
from tocsin.rules.budgets import UNLIMITED, Budgets
from tocsin.rules.programs import each_rule
from tocsin.time.spans import Period

BATCH: Final = 4096
"""Events that are read before their detections are told, at most."""


@dataclass(frozen=True)
class Options:
    """What holds for every rule that does not say otherwise itself, and for the run as a whole."""

    context: Context | None = None
    order: Order = BEST_EFFORT
    window: Period | None = None
    run: tuple[Run, str] | None = None
    """How often automata run, and to which step they skip."""
    granularity: int | None = None
    until: int | None = None
    ignore_late: bool = False
    amend: int | None = None
    """How late an event may be, in microseconds, and still change what was reported; None: what is reported stays."""
    engine: str = "local"
    """`local`, `replay` for the plain meaning, `spark` or `spark-streaming`."""
    batch: int = BATCH
    """How many events are read before their detections are told; 1 tells each at once."""
    budgets: Budgets = UNLIMITED
    """What the rules may hold; the plain meaning keeps to none."""


def completed(program: Program, options: Options) -> Program:
    """The program with the run's options filled in where a rule leaves them open."""
    return each_rule(program, partial(_completed, options=options))


def _completed(rule: Rule, options: Options) -> Rule:
    pattern = rule.pattern
    if isinstance(pattern, Automaton) and options.run is not None and not rule.hidden:
        pattern = Automaton(pattern.pattern, *options.run, span=pattern.span)
    return replace(
        rule,
        pattern=pattern,
        context=rule.context or options.context,
        window=rule.window or options.window,
    )


def check_options(program: Program, options: Options) -> None:
    """Refuses options that do not go together, or not with these rules."""
    if options.run is not None and not any(isinstance(rule.pattern, Automaton) for rule in program.rules):
        raise UsageError("a run is a matter of the core language: no rule here is written in it")
    if options.engine == "replay" and options.budgets != UNLIMITED:
        raise UsageError("the plain meaning (replay) keeps to no budget: leave it out, or run the engine")
    if options.amend is not None:
        _check_amending(program, options)


def _check_amending(program: Program, options: Options) -> None:
    """Refuses to amend where nothing is to be amended, or where it is not known what would be."""
    for rule in program.rules:
        if rule.suppress is not None:
            raise UsageError(f"rule '{rule.name}' suppresses what it detects: what is not told cannot be amended")
        order = rule.order or options.order
        if order != BEST_EFFORT:
            raise UsageError(
                f"rule '{rule.name}' runs under {order_text(order)}, which puts events in order before they are looked"
                " at: amendments are for best-effort"
            )
    if options.ignore_late:
        raise UsageError("late events are ignored: then they amend nothing; leave out one of the two")
    if options.budgets != UNLIMITED:
        raise UsageError("what a budget drops cannot be looked at again: amend without budgets")
    if options.engine.startswith("spark"):
        raise UsageError("on Spark what is reported stays: amend in this process, or let an order put events in order")
