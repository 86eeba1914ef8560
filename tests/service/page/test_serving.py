"""The page as it is served: to whoever asks, small, and confined to itself."""

from __future__ import annotations

import gzip
import re
import urllib.error
import urllib.request

import pytest

from tests.service.processes import ServiceProcess
from tocsin.service.web.page import files
from tools.page import check

FIRST_LOAD = 100_000
EVERYTHING = 250_000


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def got(service: ServiceProcess, path: str, **headers: str) -> tuple[dict[str, str], bytes]:
    request = urllib.request.Request(service.url + path, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}, answer.read()


def test_the_built_page_is_that_of_the_sources() -> None:
    assert check() == ""


def test_the_page_needs_no_key_and_may_load_nothing_but_itself(service: ServiceProcess) -> None:
    heads, body = got(service, "/")
    assert heads["content-type"] == "text/html; charset=utf-8"
    policy = heads["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    nonce = re.search("'nonce-([^']+)'", policy)
    assert nonce is not None
    assert f'content="{nonce[1]}"'.encode() in body
    assert got(service, "/")[1] != body  # another nonce
    assert heads["x-content-type-options"] == "nosniff"
    assert b"http://" not in body
    assert b"https://" not in body


def test_files_are_compressed_and_stay(service: ServiceProcess) -> None:
    script = re.search(rb'src="./(assets/[^"]+\.js)"', got(service, "/")[1])
    assert script is not None
    path = "/" + script[1].decode()
    heads, packed = got(service, path, **{"Accept-Encoding": "gzip"})
    assert (heads["content-encoding"], heads["vary"]) == ("gzip", "Accept-Encoding")
    assert "immutable" in heads["cache-control"]
    plain_heads, plain = got(service, path)
    assert "content-encoding" not in plain_heads
    assert gzip.decompress(packed) == plain


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/assets/made-from.txt", "/assets/..%2f__init__.py", "/made-from.txt"]
)
def test_nothing_else_is_served(service: ServiceProcess, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as told:
        got(service, path)
    told.value.close()
    assert told.value.code == 404


def test_the_first_load_and_everything_are_small() -> None:
    sizes = {name: len(file.packed or file.plain) for name, file in files().items()}
    first = {"index.html", *re.findall(r"assets/[^\"]+", files()["index.html"].plain.decode())}
    for name in tuple(first):  # what they import at once
        first |= {f"assets/{each}" for each in re.findall(r'from"\./([^"]+\.js)"', files()[name].plain.decode())}
    assert sum(sizes[name] for name in first) <= FIRST_LOAD
    assert sum(sizes.values()) <= EVERYTHING
