"""Options that say how parts of rules are to be placed: hints, and what is known of the links."""

from __future__ import annotations

import argparse
from pathlib import Path

import yaml

from tocsin.algebra.rules import Program
from tocsin.errors import UsageError, nearest
from tocsin.sites.outboxes import WAYS
from tocsin.sites.placement.policies import Hints
from tocsin.sites.placement.topologies import Topology, topology_of


def add_hints(parser: argparse.ArgumentParser) -> None:
    """What an application knows better than a policy."""
    parser.add_argument("--degree", type=int, metavar="N", help="cut a rule into at most N parts beside itself")
    parser.add_argument("--centre", metavar="SITE", help="the site of --policy central")
    parser.add_argument(
        "--slack", type=float, default=Hints.slack, metavar="X", help="near-sinks: be so much later to save bytes"
    )
    for name, what in (("pin", "where a rule, or a part, is to run"), ("replica", "where a rule is to run besides")):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="RULE=SITE", help=f"{what}; repeatable")
    parser.add_argument(
        "--share",
        action="append",
        default=[],
        metavar="RULE=N",
        help="divide what is cut off a rule into N shares of its key, each at a site of its own; repeatable",
    )
    parser.add_argument(
        "--ask",
        action="append",
        default=[],
        metavar="SITE=WAY",
        help=f"how the streams of a site tell how far they have got: {', '.join(WAYS)}; default: requests; repeatable",
    )
    parser.add_argument("--topology", type=Path, metavar="FILE", help="links, in JSON or YAML; default: as measured")


def asked_hints(options: argparse.Namespace, program: Program) -> Hints:
    """The hints of the command line, for rules."""
    rules = [rule.name for rule in program.rules if not rule.hidden]
    replicas: dict[str, tuple[str, ...]] = {}
    for name, site in _pairs(options.replica, "--replica"):
        _check_rule(name, rules, "--replica")
        replicas[name] = (*replicas.get(name, ()), site)
    ways = dict(_pairs(options.ask, "--ask", "SITE=WAY"))
    for way in ways.values():
        if way not in WAYS:
            raise UsageError(f"--ask: unknown way '{way}': expected one of {', '.join(WAYS)}")
    pinned = dict(_pairs(options.pin, "--pin"))
    shares: dict[str, int] = {}
    for name, count in _pairs(options.share, "--share", "RULE=N"):
        if not count.isdecimal():
            raise UsageError(f"--share: expected RULE=N, not '{name}={count}'")
        _check_rule(name, rules, "--share")
        shares[name] = int(count)
    return Hints(options.degree, options.centre, pinned, replicas, options.slack, shares=shares, ways=ways)


def _check_rule(name: str, rules: list[str], option: str) -> None:
    if name not in rules:
        hint = nearest(name, rules)
        raise UsageError(f"{option}: there is no rule '{name}'; rules: {', '.join(rules)}{f'; {hint}' if hint else ''}")


def _pairs(texts: list[str], option: str, form: str = "RULE=SITE") -> list[tuple[str, str]]:
    found = [text.rpartition("=") for text in texts]
    for text, (name, _, site) in zip(texts, found, strict=True):
        if not name or not site:
            raise UsageError(f"{option}: expected {form}, not '{text}'")
    return [(name, site) for name, _, site in found]


def asked_topology(options: argparse.Namespace) -> Topology | None:
    """The topology of the command line; None: as it is measured."""
    path: Path | None = options.topology
    if path is None:
        return None
    try:
        return topology_of(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
