"""`tocsin serve`: the event processing service, a process that takes events and tells who asked for it."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tocsin.errors import MissingDependency

EXAMPLES = """\
examples:
  tocsin serve                                    SQLite in tocsin-data/, on http://127.0.0.1:8750
  tocsin serve rules.yaml --port 9000             with requests from a rules file
  tocsin serve --config serve.yaml
  tocsin serve --store postgresql://tocsin@db/tocsin --standby
  tocsin serve --sites nats://127.0.0.1:4222      with a map of the sites there on its page

then, with the key that the first start prints:
  export TOCSIN_URL=http://127.0.0.1:8750 TOCSIN_KEY=tk_...
  tocsin send --type door room=12
  curl -H "Authorization: Bearer $TOCSIN_KEY" $TOCSIN_URL/v1/stream
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument("rules", nargs="*", metavar="RULES", help="rules files that become requests of the operator")
    parser.add_argument("--config", metavar="FILE", help="settings (YAML); every key is in docs/serve-settings.md")
    parser.add_argument(
        "--store", metavar="PATH|URL", help="where data are kept: a file of SQLite, or postgresql://..."
    )
    parser.add_argument("--host", metavar="HOST", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="PORT", help="the port (8750); 0 takes a free one")
    parser.add_argument("--sites", metavar="URL", help="the broker of sites that the page is to show: nats://HOST:4222")
    parser.add_argument(
        "--standby", action="store_true", help="wait while another service has the store, then take over"
    )


def run(options: argparse.Namespace) -> int:
    """Serves until it is interrupted."""
    try:
        import apsw  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingDependency(str(error.name), "service") from None
    from tocsin.service.process import serve
    from tocsin.service.settings import Settings
    from tocsin.service.settings_file import overridden, read_settings

    given = Settings() if options.config is None else read_settings(options.config)
    said = {name: getattr(options, name) for name in ("store", "host", "port", "rules", "sites")}
    settings = overridden(given, **said)
    return serve(replace(settings, standby=settings.standby or options.standby))
