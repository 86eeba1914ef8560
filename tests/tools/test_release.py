"""`make release`, on a copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tools.release import ROOT, Refusal, prepare, with_section, with_version

CHANGELOG = """# Changelog

## [Unreleased]

### Added

- A bell.

## [0.1.0] - 2026-01-01

- All.
"""


def test_what_was_unreleased_gets_its_number_and_day() -> None:
    should = CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n## [0.2.0] - 2026-11-18\n")
    assert with_section(CHANGELOG, "0.2.0", date(2026, 11, 18)) == should


@pytest.mark.parametrize("text", [CHANGELOG.replace("### Added\n\n- A bell.\n\n", ""), "# Changelog\n"])
def test_nothing_to_release_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="nothing to release"):
        with_section(text, "0.2.0", date(2026, 11, 18))


@pytest.mark.parametrize("version", ["0.9.0", "0.10.0", "0.10", "1.0.0rc1", "v1.0.0", "01.0.0", "", "1.0.0\n"])
def test_a_version_must_be_one_and_later(version: str) -> None:
    with pytest.raises(Refusal):
        with_version('[project]\nversion = "0.10.0"\n', version)


def test_the_version_is_set_and_nothing_else() -> None:
    text = '[project]\nversion = "0.10.0"\n[tool]\npython_version = "3.11"\n'
    assert with_version(text, "0.11.0") == text.replace("0.10.0", "0.11.0")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What a release touches and reads."""
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy2(ROOT / name, tmp_path)
    for name in ("tools", "tests/snapshots", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests/__init__.py").touch()
    return tmp_path


def test_a_release_of_a_copy(copy: Path) -> None:
    command = [sys.executable, str(copy / "tools/release.py"), "1000.0.0"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'git tag -a v1000.0.0 -m "Tocsin 1000.0.0"' in done.stdout
    assert 'version = "1000.0.0"' in (copy / "pyproject.toml").read_text()
    assert "## [Unreleased]\n\n## [1000.0.0] - 2" in (copy / "CHANGELOG.md").read_text()
    assert (copy / "tests/snapshots/1000.0.0.snapshot").stat().st_size > 0


def test_what_is_refused_leaves_all_as_it_was(copy: Path) -> None:
    before = (copy / "CHANGELOG.md").read_bytes(), (copy / "pyproject.toml").read_bytes()
    (copy / "tests/snapshots/1000.0.0.snapshot").write_bytes(b"kept")
    with pytest.raises(Refusal, match="no snapshot"):
        prepare(copy, "1000.0.0", date(2026, 11, 18))
    assert before == ((copy / "CHANGELOG.md").read_bytes(), (copy / "pyproject.toml").read_bytes())
    assert (copy / "tests/snapshots/1000.0.0.snapshot").read_bytes() == b"kept"
