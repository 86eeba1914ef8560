"""`tocsin subscribe`: rules that run at the sites of a deployment, and what they detect."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from tocsin.commands.shared_options import add_rules, asked_program, interrupts, say
from tocsin.commands.site_options import add_spread, asked_requests
from tocsin.errors import UsageError
from tocsin.rules.options import instant_of
from tocsin.sites.shell.bridges import Outlet
from tocsin.sites.shell.listing import Listing, SourcesStyle
from tocsin.sites.shell.subscription import Subscription
from tocsin.sites.shell.topics import broker_of

EXAMPLES = """\
examples:
  tocsin subscribe --broker nats://127.0.0.1:4222 -e "down ; alarm" --lang eps --window "2 min"
  tocsin subscribe --broker nats://127.0.0.1:4222 rules.yaml --output found.jsonl
  tocsin subscribe --broker mqtt://127.0.0.1 rules.gem --policy near-sources --until 2026-11-19T12:00:00Z

Detections are of what happens from then on, and are printed as `tocsin detect` prints them, until it is interrupted,
until the sources have ended, or until every rule has got to --until.
"""
TURN = 0.2


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `subscribe`."""
    add_spread(parser)
    add_rules(parser)
    parser.add_argument("--until", metavar="TIME", help="end when every rule has told what happened until then")
    parser.add_argument("--to", metavar="URL", help="the topic for detections, instead: nats://HOST/SUBJECT")
    parser.add_argument("--output", metavar="FILE", help="the file for detections; default: standard output")


def run(options: argparse.Namespace) -> int:
    """Subscribes, and prints, until the end."""
    address = broker_of(options.broker)
    requests = asked_requests(options, asked_program(options))
    until = None if options.until is None else instant_of(options.until)
    style = SourcesStyle()
    with ExitStack() as stack:
        listing: Listing | Outlet
        if options.to is not None:
            if options.output is not None:
                raise UsageError("--to and --output: detections go to one place")
            listing = Outlet(options.to)
            stack.callback(listing.close)
        elif options.output is not None:
            listing = Listing(stack.enter_context(open(Path(options.output), "w", encoding="utf-8")), style)
        else:
            listing = Listing(sys.stdout, style)
        is_stopped = stack.enter_context(interrupts())
        subscription = Subscription(address, hears=listing, say=say, began=style.of)
        stack.callback(subscription.close)
        for name, request in requests.items():
            subscription.add(name, request)
        waiting: list[str] = []
        while not is_stopped() and not subscription.has_ended(until):
            subscription.turn(TURN)
            if subscription.waiting != waiting:
                waiting = subscription.waiting
                if waiting:
                    say(f"no site has a source yet for {', '.join(waiting)}: it is waited for")
    say(f"{listing.count} detection{'s' * (listing.count != 1)}")
    return 0
