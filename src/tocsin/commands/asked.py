"""Options that several verbs take: which rules, and how they are to be run."""

from __future__ import annotations

import argparse
import sys

from tocsin.algebra.rules import Context, Program
from tocsin.errors import UsageError
from tocsin.rules.loading import load_expression, load_files


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Rules from files, or one from the command line."""
    parser.add_argument("rules", nargs="*", metavar="RULES", help="rules files: *.gem, *.eps or *.yaml")
    parser.add_argument("-e", "--expression", metavar="EXPR", help="one rule, called 'rule'")
    parser.add_argument("--lang", metavar="LANGUAGE", help="EXPR's language: core, eps, gem, global, pretty or sel")
    parser.add_argument("--condition", metavar="GUARD", help="what must hold for EXPR to be detected")
    parser.add_argument("--context", choices=[each.value for each in Context], help="how occurrences combine")
    parser.add_argument("--window", metavar="SPAN", help="the detection window of rules that have none: '5 min'")


def asked_program(options: argparse.Namespace) -> Program:
    """The program that the command line names."""
    if options.expression is None:
        if not options.rules:
            raise UsageError("no rules given: name rules files, or give one with -e EXPR --lang LANGUAGE")
        if options.condition is not None or options.lang is not None:
            raise UsageError("--condition and --lang go with -e EXPR")
        return load_files(options.rules)
    if options.lang is None:
        raise UsageError("-e EXPR needs --lang LANGUAGE")
    program = load_files(options.rules)
    return program + load_expression(options.expression, options.lang, options.condition)


def say(text: str) -> None:
    """A remark for the person, on standard error."""
    print(f"tocsin: {text}", file=sys.stderr)
