"""Options that the verbs about sites share."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tocsin.algebra.checks import check
from tocsin.algebra.rules import Program, Rule
from tocsin.commands.placement_options import add_hints, asked_hints, asked_topology
from tocsin.errors import UsageError
from tocsin.rules.options import context_of, granularity_of, order_of, run_of, window_of
from tocsin.rules.programs import each_rule
from tocsin.runtime.options import Options, check_options, completed
from tocsin.sites.placement.policies import POLICIES
from tocsin.sites.prefilters import limit_of
from tocsin.sites.shell.requests import Request


def add_broker(parser: argparse.ArgumentParser) -> None:
    """Where the sites are."""
    parser.add_argument(
        "--broker",
        required=True,
        metavar="URL",
        help="what sites talk over: nats://HOST:4222, mqtt://HOST, kafka://HOST:9092; a path names the deployment",
    )


def add_spread(parser: argparse.ArgumentParser) -> None:
    """Where the sites are, and how rules are spread over them."""
    add_broker(parser)
    parser.add_argument(
        "--policy", choices=POLICIES, help="where parts of rules run; default: whole, where they are asked for"
    )
    add_hints(parser)
    parser.add_argument("--order", default="guaranteed", metavar="ORDER", help="guaranteed or best-effort")
    parser.add_argument("--time-model", default="point", metavar="MODEL", help="point, interval or 2g:SPAN")
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="TYPE=COUNT/SPAN",
        help="of each source no more events of a type than so many: 'motion=1/1 min'; may be repeated",
    )
    parser.add_argument(
        "--run", metavar="RUN", help="every, again, once, to next, past last, to first X or to last X (core language)"
    )


def asked_requests(options: argparse.Namespace, program: Program) -> dict[str, Request]:
    """The rules of the command line as they are asked for, checked."""
    order = None if options.order == "guaranteed" else order_of(options.order)
    given = Options(
        context=None if options.context is None else context_of(options.context),
        window=None if options.window is None else window_of(options.window),
        run=None if options.run is None else run_of(options.run),
        granularity=granularity_of(options.time_model),
    )
    check_options(program, given)

    def ordered(rule: Rule) -> Rule:
        return replace(rule, order=rule.order or order)

    whole = each_rule(completed(program, given), ordered)
    check(whole)
    if options.share and options.policy is None:
        raise UsageError("--share divides what a policy cuts off a rule: give one, as in --policy near-sources")
    limits = dict(limit_of(text) for text in options.limit)
    return {
        "command line": Request(
            whole, options.policy, given.granularity, limits, asked_hints(options, whole), asked_topology(options)
        )
    }
