"""The page at `/`: files that were built from `web/` and lie in the package, with a strict content-security policy."""

from __future__ import annotations

import gzip
import secrets
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOLDER: Final = Path(__file__).resolve().parents[1] / "page"
KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
}
"""What is served, by the end of its name; nothing else is."""
NONCE: Final = b"%nonce%"
"""What stands in the page where the nonce of an answer goes: editors make style elements, which need it."""
_FOREVER: Final = "public, max-age=31536000, immutable"
_SHORT: Final = 1_000
"""Bytes that are not worth compressing."""


class File(NamedTuple):
    """A file as it is served."""

    kind: str
    plain: bytes
    packed: bytes
    is_lasting: bool
    """Its name says what is in it, so it never changes."""


@cache
def files() -> dict[str, File]:
    """Every file of the page by its path; nothing, where the package was installed without it."""
    found: dict[str, File] = {}
    for path in sorted(FOLDER.rglob("*")) if FOLDER.is_dir() else ():
        kind = KINDS.get(path.suffix)
        if kind is not None and path.is_file():
            data = path.read_bytes()
            name = path.relative_to(FOLDER).as_posix()
            packed = gzip.compress(data, 9, mtime=0) if len(data) > _SHORT else b""
            found[name] = File(kind, data, packed, name.startswith("assets/"))
    return found


def policy(nonce: str) -> str:
    """What the page may load and do: itself, from here, and nothing else."""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def _heads(nonce: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": policy(nonce),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


async def served(http: HttpRequest) -> Response:
    """A file of the page; `/` is the page itself."""
    file = files().get(http.url.path.removeprefix("/") or "index.html")
    if file is None:
        return PlainTextResponse("there is no such file of the page\n", 404)
    nonce = secrets.token_urlsafe(16)
    heads = _heads(nonce) | {"Cache-Control": _FOREVER if file.is_lasting else "no-cache", "Vary": "Accept-Encoding"}
    if NONCE in file.plain:
        body = file.plain.replace(NONCE, nonce.encode())
        return Response(body, headers=heads | {"Cache-Control": "no-store"}, media_type=file.kind)
    if file.packed and "gzip" in http.headers.get("accept-encoding", ""):
        return Response(file.packed, headers=heads | {"Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.plain, headers=heads, media_type=file.kind)


ROUTES: Final = tuple(Route(path, served, methods=["GET"]) for path in ("/", "/icon.svg", "/assets/{name}"))
"""They are no part of the API, and need no key."""
