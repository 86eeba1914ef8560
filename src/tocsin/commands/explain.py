"""`tocsin explain --engine spark`: how Spark would spread the rules over shards, and why."""

from __future__ import annotations

import argparse
import json
import sys

from tocsin.commands.asked import add_rules, asked_program
from tocsin.planner.equalities import shown
from tocsin.planner.placement import ANYWHERE, KEYED, Placement, placements
from tocsin.rules.options import context_of, window_of
from tocsin.session import Options, Session
from tocsin.time.spans import SECOND

EXAMPLES = """\
examples:
  tocsin explain rules.yaml --engine spark
  tocsin explain -e "x:a ; y:b" --lang eps --condition "x.host == y.host" --engine spark --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `explain`."""
    add_rules(parser)
    parser.add_argument("--engine", choices=("spark",), required=True, help="where the rules would run")
    parser.add_argument("--json", action="store_true", help="write it as JSON")


def run(options: argparse.Namespace) -> int:
    """Shows each group of shards with its rules."""
    asked = Options(
        context=None if options.context is None else context_of(options.context),
        window=None if options.window is None else window_of(options.window),
    )
    found = [described(each) for each in placements(Session(asked_program(options), asked).program)]
    if options.json:
        json.dump(found, sys.stdout, indent=2)
        print()
        return 0
    for number, each in enumerate(found, 1):
        print(f"{number}. {each['shards']}")
        print(f"   sent there: {each['events']}")
        rules = each["rules"]
        assert isinstance(rules, dict)
        for name, told in rules.items():
            print(f"   rule {name}: {told['reason']}")
    return 0


def described(placement: Placement) -> dict[str, object]:
    """A placement in words."""
    if placement.kind == KEYED:
        key = ", ".join(f"{kind}.{shown(name)}" for kind, name in placement.key)
        shards = f"many shards, by {key}"
    elif placement.kind == ANYWHERE:
        shards = "many shards, events anywhere"
    elif placement.overlap is not None:
        seconds = placement.overlap / SECOND
        shards = f"one shard; in batch one for each slice of time, which begins {seconds:g} s early"
    else:
        shards = "one shard"
    types = placement.types
    every = types is None or placement.wants_all
    return {
        "kind": placement.kind,
        "shards": shards,
        "key": {kind: shown(name) for kind, name in placement.key},
        "events": "all events" if every else "events of type " + ", ".join(sorted(types or ())),
        "rules": {name: {"reason": reason} for name, reason in placement.reasons},
    }
