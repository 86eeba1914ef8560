"""`tocsin explain`: the shared graph of all rules, their search plans, automata or shards, as text and as pictures."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from tocsin.commands.shared_options import add_rules, asked_program
from tocsin.draw.boxes import draw_graphs
from tocsin.draw.graph import Graph
from tocsin.draw.mermaid import mermaid
from tocsin.errors import UsageError
from tocsin.explain.shards import described
from tocsin.explain.views import View, automaton_view, cuts_view, network_view, plan_view, shard_view
from tocsin.planner.placement import placements
from tocsin.rules.definitions import spelled
from tocsin.rules.loader import READERS
from tocsin.rules.options import context_of, granularity_of, order_of, run_of, window_of
from tocsin.rules.templates import template_lines, templates_of
from tocsin.runtime.options import Options
from tocsin.session import Session

EXAMPLES = """\
examples:
  tocsin explain rules.yaml
  tocsin explain rules.yaml --svg rules.svg
  tocsin explain -e "x:a ; y:b" --lang eps --condition "x.host == y.host" --plan
  tocsin explain -e "([B], [P in {P, T1}]){T1 = 1 h}" --lang core --automaton --mermaid
  tocsin explain rules.yaml --engine spark
  tocsin explain rules.yaml --cuts
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `explain`."""
    add_rules(parser)
    parser.add_argument(
        "--order",
        default="best-effort",
        metavar="ORDER",
        help="the order of rules without their own, as in detect; each order has its own engine",
    )
    parser.add_argument("--time-model", default="point", metavar="MODEL", help="point, interval or 2g:SPAN")
    parser.add_argument(
        "--run", metavar="RUN", help="every, again, once, to next, past last, to first X or to last X (core language)"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--plan", action="store_true", help="show the search plans: what starts each, and its steps")
    shown.add_argument("--automaton", action="store_true", help="show the automata of rules in the core language")
    shown.add_argument("--cuts", action="store_true", help="show which parts of rules can run at other sites")
    shown.add_argument(
        "--engine", choices=("local", "spark"), default="local", help="spark: show how rules would be split into shards"
    )
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument(
        "--mermaid",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write a Mermaid diagram to FILE, or without FILE in place of the text",
    )
    parser.add_argument("--svg", metavar="FILE", help="draw a picture")


def run(options: argparse.Namespace) -> int:
    """Shows what was asked for, and writes the pictures."""
    for path in (options.svg, options.mermaid):
        _refuse_rules_file(path)
    if options.json and options.mermaid == "-":
        raise UsageError("--json and --mermaid both write to standard output: give --mermaid a FILE")
    if options.cuts and (options.svg or options.mermaid):
        raise UsageError("--cuts is text or JSON: there is nothing to draw")
    session = Session(spelled(asked_program(options)), _asked(options))
    view = _view(session, options)
    if options.svg is not None:
        Path(options.svg).write_text(draw_graphs(view.title, view.graphs, view.said), encoding="utf-8")
    if options.mermaid not in (None, "-"):
        Path(options.mermaid).write_text(mermaid(view.graphs), encoding="utf-8")
    if options.json:
        json.dump(_record(view, session, options), sys.stdout, indent=2)
        print()
    elif options.mermaid == "-":
        sys.stdout.write(mermaid(view.graphs))
    else:
        for line in (*template_lines(session.program.rules), *view.lines):
            print(line)
    return 0


def _view(session: Session, options: argparse.Namespace) -> View:
    if options.engine == "spark":
        return shard_view(session.program)
    if options.cuts:
        return cuts_view(session.program)
    if options.automaton:
        return automaton_view(session.program)
    if options.plan:
        return plan_view(session.program, session.options.order, session.options.granularity)
    return network_view(session.program, session.options.order, session.options.granularity)


def _asked(options: argparse.Namespace) -> Options:
    return Options(
        context=None if options.context is None else context_of(options.context),
        order=order_of(options.order),
        window=None if options.window is None else window_of(options.window),
        run=None if options.run is None else run_of(options.run),
        granularity=granularity_of(options.time_model),
    )


def _refuse_rules_file(path: str | None) -> None:
    """`--mermaid rules.yaml` would overwrite the rules: what looks like them is none of our files."""
    if path is not None and Path(path).suffix.lower() in READERS:
        raise UsageError(f"'{path}' would be a file of rules: give a picture another name, and rules before it")


def _record(view: View, session: Session, options: argparse.Namespace) -> object:
    """What is shown, as JSON values."""
    if options.engine == "spark":
        return [described(each) for each in placements(session.program)]
    if options.cuts:
        return view.record
    made = [
        {
            "template": each.template.header,
            "expression": each.template.expression,
            "uses": {name: use.call for name, use in each.uses},
        }
        for each in templates_of(session.program.rules)
    ]
    templates = {"templates": made} if made else {}
    return {**templates, **view.record, "graphs": [_graph_record(graph) for graph in view.graphs]}


def _graph_record(graph: Graph) -> dict[str, object]:
    return asdict(graph)
