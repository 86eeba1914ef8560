"""`tocsin console`: a GEM monitor to talk to (003 section 3)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tocsin.actions.configuration import read_actions
from tocsin.actions.executor import Actions
from tocsin.algebra.rules import Context
from tocsin.commands.shared_options import say
from tocsin.console.connection import Service
from tocsin.console.feeds import Feed, Tail, Threads, keep_time, take_lines
from tocsin.console.plain import talk, typed
from tocsin.console.remote import RemoteMonitor
from tocsin.console.session import Console
from tocsin.errors import MissingDependency, UsageError, choices
from tocsin.formats import FORMATS
from tocsin.monitor.monitor import Monitor
from tocsin.rules.loader import load_files
from tocsin.rules.options import context_of, order_of, window_of
from tocsin.runtime.options import Options
from tocsin.time.clocks import Clock, ShiftedClock, WallClock

EXAMPLES = """\
examples:
  tocsin console
  tocsin console rules.gem --events incoming/
  tocsin console rules.gem --events events.jsonl --speed virtual
  producer | tocsin console rules.gem --events - --format jsonl
  tocsin console --speed virtual --echo < session.gem
  TOCSIN_KEY=tk_... tocsin console --connect http://127.0.0.1:8750
"""
CONNECTED = "'help' lists commands, 'quit' or Ctrl-D ends the session; 'stop' halts the monitor for everybody."
KEY = "TOCSIN_KEY"
USUAL_ORDER = "best-effort"
OWN = ("events", "input_format", "speed", "context", "window")
"""What only a monitor of one's own can be told."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `console`."""
    parser.add_argument(
        "scripts", nargs="*", metavar="SCRIPT", help="rules files to start with: *.gem, *.eps or *.yaml"
    )
    parser.add_argument(
        "--events",
        action="append",
        default=[],
        metavar="WHERE",
        help="events that arrive meanwhile: a file (several are read in turn), a directory whose files grow, or -",
    )
    parser.add_argument(
        "--input-format", metavar="NAME", help=f"the file's format: {choices(sorted(FORMATS))}; default: by extension"
    )
    parser.add_argument(
        "--speed",
        choices=("real", "fast", "virtual"),
        help="real: by the wall clock, and a file at its own pace; fast: a file as fast as it can be read, by its own"
        " clock; virtual: the clock stands until an event, 'next' or 'advance' moves it;"
        " default: fast for a file, else real",
    )
    parser.add_argument("--order", default=USUAL_ORDER, metavar="ORDER", help="as for detect")
    parser.add_argument(
        "--context", choices=[each.value for each in Context], help="which occurrences combine and are used up"
    )
    parser.add_argument("--window", metavar="SPAN", help="the window of rules without their own: '5 min'")
    parser.add_argument(
        "--actions", metavar="FILE", help="programs to run and webhooks to call when a rule fires: *.yaml"
    )
    parser.add_argument("--format", choices=("gem", "jsonl"), default="gem", help="the output format")
    parser.add_argument("--echo", action="store_true", help="echo the input, too, to record a session")
    parser.add_argument(
        "--connect",
        metavar="URL",
        help="talk to the monitor of a service (tocsin serve) instead of one of your own; an operator's key comes by"
        f" the environment, {KEY}",
    )
    parser.add_argument("--key-from", metavar="VARIABLE", help=f"the environment variable that has the key ({KEY})")
    parser.add_argument("--history", metavar="FILE", help="the file for command history; - for none")


def run(options: argparse.Namespace) -> int:
    """Talks until there is nothing more to say. 1 if something was refused that did not come from a terminal."""
    if options.connect is not None:
        return _run_connected(options)
    if options.key_from is not None:
        raise UsageError("--key-from is the key for a service: --connect URL")
    asked = _asked(options)
    program = load_files(options.scripts)
    monitor = Monitor(_options(options), None)
    feed: Feed | None = None
    if asked.is_file:
        feed = Feed(options.events, monitor, asked.say, options.input_format)
    monitor.clock = _clock(asked.speed, feed)
    console = Console(monitor, print_line, asked.say, as_json=options.format == "jsonl", feed=feed)
    actions = None if options.actions is None else Actions(read_actions(options.actions), monitor.style, asked.say)
    if actions is not None:
        monitor.listeners.append(actions)
    for remark in monitor.run(program).remarks:
        asked.say(remark)
    if monitor.clock is not None:
        monitor.tick()
    threads = Threads(asked.say)
    _start(asked, monitor, feed, threads)
    try:
        _talk(asked, console)
        if not asked.is_typed and not monitor.has_stopped:
            threads.wait()
            if monitor.clock is None:
                monitor.finish()
    finally:
        threads.stopping.set()
        monitor.close()
        if feed is not None:
            feed.close()
    if actions is not None:
        actions.close()
        asked.say(actions.summary())
    return 1 if console.refused and not asked.is_typed else 0


def _run_connected(options: argparse.Namespace) -> int:
    """The same over the wire: the rules, their clock and the events are those of a service."""
    given = next((name for name in OWN if getattr(options, name)), None)
    if given is None and options.order != USUAL_ORDER:
        given = "order"
    if given is not None:
        raise UsageError(
            f"--{given.replace('_', '-')} is for a monitor of your own: --connect talks to that of a service"
        )
    asked = _asked(options)
    monitor = RemoteMonitor(Service(options.connect, _key(options.key_from)), asked.say)
    console = Console(monitor, print_line, asked.say, as_json=options.format == "jsonl")
    actions = None if options.actions is None else Actions(read_actions(options.actions), monitor.style, asked.say)
    if actions is not None:
        monitor.listeners.append(actions)
    try:
        monitor.start()
        if options.scripts:
            for remark in monitor.load(options.scripts).remarks:
                asked.say(remark)
        _talk(asked, console, f"The GEM monitor of {options.connect}. {CONNECTED}")
        if not asked.is_typed:
            monitor.settle()
    finally:
        monitor.close()
    if actions is not None:
        actions.close()
        asked.say(actions.summary())
    return 1 if console.refused and not asked.is_typed else 0


def _key(variable: str | None) -> str:
    key = os.environ.get(variable or KEY, "")
    if not key:
        raise UsageError(f"the environment variable {variable or KEY} has no key: a service lets nobody in without one")
    return key


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for, and what there is to read from."""

    options: argparse.Namespace
    speed: str
    is_file: bool
    is_typed: bool
    """Whether commands come from a terminal."""
    has_apart: bool
    """Whether events come from standard input, and commands do not."""
    say: Callable[[str], None]


def _asked(options: argparse.Namespace) -> _Asked:
    places = options.events
    where = places[0] if places else None
    is_file = bool(places) and all(each != "-" and not os.path.isdir(each) for each in places)
    if len(places) > 1 and not is_file:
        raise UsageError("several --events are files; a directory, or - for standard input, is given alone")
    speed = options.speed or ("fast" if is_file else "real")
    if speed == "fast" and not is_file:
        raise UsageError("--speed fast is for a file of events: --events FILE")
    if speed == "virtual" and where is not None and not is_file:
        raise UsageError(
            "what comes of itself brings no clock along: --speed virtual is for a file, or for what is typed"
        )
    is_terminal = sys.stdin.isatty()
    has_apart = where == "-" and not is_terminal and sys.stdout.isatty()
    # Where lines are for programs, what is for people goes elsewhere.
    out = print_line if options.format == "gem" else print_remark
    return _Asked(options, speed, is_file, is_terminal or has_apart, has_apart, out)


def print_line(text: str) -> None:
    """A line for whoever reads, at once."""
    print(text, flush=True)


def print_remark(text: str) -> None:
    """A line for people, beside what programs read."""
    print(text, file=sys.stderr, flush=True)


def _options(options: argparse.Namespace) -> Options:
    return Options(
        context=None if options.context is None else context_of(options.context),
        order=order_of(options.order),
        window=None if options.window is None else window_of(options.window),
    )


def _clock(speed: str, feed: Feed | None) -> Clock | None:
    """The clock of the monitor: the wall's; or that of a file that is played back, begun with its first event."""
    if speed != "real":
        return None
    wall = WallClock()
    first = feed.first() if feed is not None else None
    return wall if first is None else ShiftedClock(wall, first.arrival - wall.now())


def _start(asked: _Asked, monitor: Monitor, feed: Feed | None, threads: Threads) -> None:
    """Starts what goes on beside the typing."""
    where, stopping = next(iter(asked.options.events), None), threads.stopping
    if monitor.clock is not None:
        threads.start(partial(keep_time, monitor, stopping))
    if feed is not None:
        if asked.speed != "virtual":
            threads.start(partial(feed.play, monitor.clock, stopping), is_awaited=True)
    elif asked.has_apart:
        threads.start(partial(take_lines, sys.stdin, "<stdin>", monitor, asked.say, stopping))
    elif where not in (None, "-"):
        threads.start(partial(Tail(Path(where), monitor, asked.say).follow, stopping))


def _talk(asked: _Asked, console: Console, greeting: str = "") -> None:
    options = asked.options
    if not asked.is_typed:
        talk(console, sys.stdin, print_line if options.echo else None)
        return
    if not sys.stdout.isatty():  # what a prompt draws has no place in what programs read
        talk(console, typed())
        return
    try:
        from tocsin.console import prompt
    except MissingDependency as missing:
        if asked.has_apart:
            raise
        say(f"no history and no completion: {missing}")
        talk(console, typed())
        return
    history = prompt.usual_history() if options.history is None else options.history
    prompt.talk(console, None if history == "-" else history, asked.has_apart, greeting or prompt.GREETING)
