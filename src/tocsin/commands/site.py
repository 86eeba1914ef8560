"""`tocsin site`: one site of a distributed deployment, until it is stopped."""

from __future__ import annotations

import argparse
import gc
import sys
from contextlib import ExitStack
from pathlib import Path

from tocsin.commands.shared_options import add_rules, asked_program, interrupts, say
from tocsin.commands.site_options import add_spread, asked_requests
from tocsin.errors import UsageError
from tocsin.sites.audit import kept_of
from tocsin.sites.prefilters import staying_of
from tocsin.sites.shell.bridges import Outlet
from tocsin.sites.shell.listing import Listing, SourcesStyle
from tocsin.sites.shell.metrics import Endpoint
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.requests import request_record
from tocsin.sites.shell.store import Store
from tocsin.sites.shell.topics import broker_of, site_name

EXAMPLES = """\
examples:
  tocsin site --name A --broker nats://127.0.0.1:4222
  tocsin site --name A --broker nats://127.0.0.1:4222 --data A/ rules.yaml
  tocsin site --name B --broker mqtt://127.0.0.1/plant -e "down -> alarm" --lang sel --window "2 min"
  tocsin site --name C --broker kafka://127.0.0.1:9092 --source s1:temp,door --output found.jsonl rules.gem

A site that has rules is where they are told: their detections are printed as `tocsin detect` prints them. Events are
published at a site with `tocsin publish`.
"""
TURN = 0.2
"""Seconds after which it is looked whether somebody has stopped it."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `site`."""
    parser.add_argument("--name", required=True, metavar="NAME", help="what the site is called: no other is")
    add_spread(parser)
    add_rules(parser)
    parser.add_argument("--data", metavar="DIR", help="where the site keeps what it must not lose")
    parser.add_argument(
        "--sync",
        choices=("disk", "process"),
        default="disk",
        help="what has to fail before something is lost: the disk (each write waits for it), or more than the process",
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="NAME[:TYPE,...]",
        help="a source that belongs to this site: rules wait for what it says from the beginning; may be repeated",
    )
    parser.add_argument(
        "--staying",
        action="append",
        default=[],
        metavar="TYPE=ATTRIBUTE,...",
        help="attributes that stay here: who has the event asks for them by its id; may be repeated",
    )
    parser.add_argument(
        "--audit", metavar="SPAN,MEGABYTES", help="how long the log of what happened is kept, and how much: '24 h,4'"
    )
    parser.add_argument("--metrics", metavar="[HOST:]PORT", help="tell Prometheus the figures of links and parts there")
    parser.add_argument("--to", metavar="URL", help="the topic for detections, instead: nats://HOST/SUBJECT")
    parser.add_argument("--output", metavar="FILE", help="the file for detections; default: standard output")


def run(options: argparse.Namespace) -> int:
    """Runs the site until somebody stops it."""
    name, address = site_name(options.name), broker_of(options.broker)
    has_rules = bool(options.rules) or options.expression is not None
    requests = asked_requests(options, asked_program(options)) if has_rules else {}
    with ExitStack() as stack:
        store = None
        if options.data is not None:
            store = Store(Path(options.data), name, is_synced=options.sync == "disk")
        elif options.sync != "disk":
            raise UsageError("--sync goes with --data DIR")
        style = SourcesStyle()
        listing = _listing(options, style)
        stack.callback(listing.close)
        try:
            process = SiteProcess(name, address, store, hears=listing, say=say, began=style.of, paints_apart=True)
        except BaseException:
            if store is not None:
                store.close()
            raise
        stack.callback(process.close)
        if options.metrics is not None:
            stack.callback(Endpoint(options.metrics, process.site).close)
        _collect_seldom()
        is_stopped = stack.enter_context(interrupts())
        process.claim()
        for each in options.source:
            source, _, types = each.partition(":")
            process.do(["source", source, [kind for kind in types.split(",") if kind] or None])
        if options.staying:
            process.do(["stays", dict(staying_of(text) for text in options.staying)])
        if options.audit is not None:
            keep = kept_of(options.audit)
            process.do(["keep", keep.period, keep.size])
        for title, request in requests.items():
            process.do(request_record(title, request))
        _greet(process, options)
        while not is_stopped():
            process.turn(TURN)
        process.stop()
        kept = f"; it goes on from {options.data}" if store is not None else ""
        say(f"site '{name}' has stopped: {listing.count} detection{'s' * (listing.count != 1)} told{kept}")
    return 0


def _collect_seldom() -> None:
    """Messages are many containers without cycles: looking for garbage among them took most of the time (a trial)."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 1_000)


def _listing(options: argparse.Namespace, style: SourcesStyle) -> Listing | Outlet:
    if options.to is not None:
        if options.output is not None:
            raise UsageError("--to and --output: detections go to one place")
        return Outlet(options.to, None if options.data is None else Path(options.data) / "sent")
    if options.output is not None:
        return Listing.to_file(Path(options.output), style)
    known = None if options.data is None else Path(options.data) / "told"
    return Listing(sys.stdout, style, known)


def _greet(process: SiteProcess, options: argparse.Namespace) -> None:
    others = sorted(process.site.neighbours.peers)
    beside = f", beside {', '.join(others)}" if others else ""
    say(f"site '{process.name}' is at {process.network.address}{beside}")
    say(f"publish events here: tocsin publish --broker {options.broker} --source NAME --site {process.name} FILE")
