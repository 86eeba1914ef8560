"""Is what runs in this container well? Asks the address in TOCSIN_HEALTH; exit 0 if it answers, 1 if not, with a line.

A pipeline has its metrics there, a service /healthz. TOCSIN_HEALTH=none is for commands that come to an end by
themselves, and have nothing to ask.
"""

from __future__ import annotations

import os
import ssl
import sys
from urllib.error import URLError
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

SECONDS = 5


def main() -> int:
    """Asks once; Docker asks again."""
    address = os.environ.get("TOCSIN_HEALTH", "")
    if address in ("", "none"):
        return 0
    try:
        # No proxy, and any certificate: what is asked is in the container, and is told nothing.
        anybody = ssl._create_unverified_context()
        with build_opener(ProxyHandler({}), HTTPSHandler(context=anybody)).open(address, timeout=SECONDS):
            return 0
    except (URLError, OSError, ValueError) as error:  # HTTPError is a URLError: it answers, but is not well
        print(f"{address}: {getattr(error, 'reason', None) or error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
