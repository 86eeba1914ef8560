"""`tocsin trace`: where a detection comes from: down through its parts to its events, over all sites."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from tocsin.commands.shared_options import say
from tocsin.commands.site_options import add_broker
from tocsin.sites.references import fetched
from tocsin.sites.shell.guest import attached
from tocsin.sites.trail_pictures import draw_trail
from tocsin.sites.trail_texts import lines_of, record_of
from tocsin.sites.trails import Birth, steps_of, trail_of

EXAMPLES = """\
examples:
  tocsin trace 5f0c1e --broker nats://127.0.0.1:4222                the beginning of an id is enough
  tocsin trace 5f0c1e --broker nats://127.0.0.1:4222 --svg trail.svg
  tocsin trace 5f0c1e --broker nats://127.0.0.1:4222 --fetch        with the attributes that stayed at the birthplaces
"""
PATIENCE: Final = 3.0
"""Seconds that sites have for an answer."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `trace`."""
    parser.add_argument("detection", metavar="DETECTION", help="the id of a detection, or how it begins")
    add_broker(parser)
    parser.add_argument("--svg", metavar="FILE", help="draw the trail")
    parser.add_argument("--fetch", action="store_true", help="fetch what stayed where the events were born")
    parser.add_argument("--json", action="store_true", help="write JSON")


def run(options: argparse.Namespace) -> int:
    """Follows the trail, and shows it."""
    with attached(options.broker, "tracer", say=say) as guest:
        trail = trail_of(options.detection, lambda what: guest.ask_all(what, PATIENCE), guest.directory)
        kept: dict[str, Any] = {}
        if options.fetch:
            births = [way.of for step in steps_of(trail.step) for way in step.ways if isinstance(way.of, Birth)]
            for birth in births:
                if birth.staying:
                    found = fetched(
                        birth.source, birth.id, guest.directory, lambda site, what: guest.ask(site, what, PATIENCE)
                    )
                    kept[f"{birth.source}/{birth.id}"] = found
    if options.svg is not None:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(draw_trail(trail))
    if options.json:
        record = record_of(trail) | ({"fetched": kept} if options.fetch else {})
        print(json.dumps(record, indent=2, ensure_ascii=False))
        return 0
    for line in lines_of(trail):
        sys.stdout.write(line + "\n")
    for name, data in kept.items():
        print(f"{name} has {json.dumps(data, ensure_ascii=False)}")
    return 0
