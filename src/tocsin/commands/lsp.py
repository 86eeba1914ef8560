"""`tocsin lsp`: a language server for editors, for rules files, scripts and requests in all notations."""

from __future__ import annotations

import argparse

EXAMPLES = """\
an editor starts it itself, and talks to it over standard input and output (docs/assistants.md says how to set it up)

examples:
  tocsin lsp
  tocsin lsp --events sample.jsonl     types and attributes of these events are offered, too
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `lsp`."""
    parser.add_argument(
        "--events",
        action="append",
        default=[],
        metavar="FILE",
        help="a sample of events whose types and attributes are offered; may be repeated",
    )
    # Many editors add it to every language server.
    parser.add_argument("--stdio", action="store_true", help="use standard input and output, as it does anyway")


def run(options: argparse.Namespace) -> int:
    """Serves until the editor leaves."""
    from tocsin.assistants.language_server import serve

    serve(options.events)
    return 0
