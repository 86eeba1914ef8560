"""`tocsin mcp`: a server of the Model Context Protocol, so that assistants can check, test and explain rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from tocsin.assistants.limits import SECONDS
from tocsin.errors import UsageError

EXAMPLES = """\
an assistant starts it itself, and talks to it over standard input and output:
  {"mcpServers": {"tocsin": {"command": "tocsin", "args": ["mcp", "--folder", "/srv/rules"]}}}

examples:
  tocsin mcp                                    rules and events are given as texts; no file is read
  tocsin mcp --folder rules --folder events     files in these folders may be named, too
  TOCSIN_URL=http://127.0.0.1:8750 TOCSIN_KEY=tk_... tocsin mcp     rules may be saved, too
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `mcp`."""
    parser.add_argument(
        "--folder",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder from which the assistant may name files of rules and events; may be repeated; default: none",
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, metavar="N", help=f"stop a question that takes longer ({SECONDS:g})"
    )


def run(options: argparse.Namespace) -> int:
    """Serves until standard input ends."""
    if not 0 < options.seconds <= 3600:
        raise UsageError("--seconds is a number above 0, of at most 3600")
    for folder in options.folder:
        if not Path(folder).is_dir():
            raise UsageError(f"there is no folder '{folder}'")
    from tocsin.assistants.mcp_server import serve

    serve([str(Path(folder).resolve()) for folder in options.folder], options.seconds)
    return 0
