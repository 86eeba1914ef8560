"""docs/install.md and the Dockerfile say what is so; what says that something is missing names an extra that has it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.processes import ServiceProcess
from tests.service.test_settings import certificate

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/install.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def missing() -> Iterator[tuple[str, str]]:
    """The libraries that some module may find missing, each with the extra that it names."""
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "MissingDependency":
                match node.args:
                    case [ast.Constant(value=str(library)), ast.Constant(value=str(extra))]:
                        yield library, extra


def test_what_is_missing_is_in_the_extra_that_is_named() -> None:
    found = set(missing())
    assert len(found) >= 8
    for library, extra in found:
        assert any(one.lower().startswith(library.lower()) for one in EXTRAS[extra]), (library, extra)


def test_the_page_has_every_extra() -> None:
    table = PAGE.partition("| extra | for |")[2].partition("\n\n")[0]
    told = re.findall(r"`([a-z]+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if "`" in line))
    assert sorted(told) == sorted(set(EXTRAS) - {"dev"})


def test_all_is_all() -> None:
    others = {one for name, some in EXTRAS.items() if name not in ("all", "dev") for one in some}
    assert set(EXTRAS["all"]) == others


@pytest.mark.parametrize("line", re.findall(r"^COPY (?!--from).*$", DOCKERFILE, re.MULTILINE))
def test_what_the_image_copies_is_there_and_sent(line: str) -> None:
    sent = {each[1:] for each in (ROOT / ".dockerignore").read_text().splitlines() if each.startswith("!")}
    for name in line.split()[1:-1]:
        assert (ROOT / name).exists()
        assert name.partition("/")[0] in sent


def test_the_image_does_not_run_as_root_and_can_be_asked() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9][0-9]*$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "gcc" not in last
    assert set(re.findall(r"ARG EXTRAS=(\S+)", DOCKERFILE)[0].split(",")) <= set(EXTRAS)
    assert re.search(r"^EXPOSE 8750$", last, re.MULTILINE)


def is_well(address: str) -> bool:
    """What the image's check says of an address."""
    command = [sys.executable, str(ROOT / "docker" / "health.py")]
    return subprocess.run(command, env=os.environ | {"TOCSIN_HEALTH": address}, check=False).returncode == 0


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_service_is_asked_for_its_health(tmp_path: Path, scheme: str) -> None:
    certificate(tmp_path)
    settings = "listen: {certificate: cert.pem, key: key.pem}\n" if scheme == "https" else ""
    service = ServiceProcess(tmp_path, settings)
    try:
        service.start()
        assert service.url.startswith(f"{scheme}://")
        assert is_well(f"{service.url}/healthz")
        assert not is_well(f"{service.url}/metrics")  # without a key it is not told
    finally:
        service.kill()
    assert not is_well(f"{service.url}/healthz")
    assert is_well("none")
