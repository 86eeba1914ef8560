"""The plug-in in a pytest of its own: it collects, it shows, and it does not get in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import tocsin
from tests.testing.building import PAIR

PLUGIN = "tocsin.testing.pytest_plugin"
STRICT = "[pytest]\naddopts = --strict-markers --strict-config --import-mode=importlib\nfilterwarnings = error\n"


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """pytest as strict as it can be, with the plug-in and no other: whether it is installed makes no difference."""
    (folder / "pytest.ini").write_text(STRICT)
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", *words]
    around = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(tocsin.__file__).parents[1])}
    return subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, timeout=120, check=False)


def test_files_are_collected_and_differences_shown(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    cases = "cases:\n  - {name: good, given: [1 a, 2 b], expect: [[1, 2]]}\n  - {name: bad, given: [1 a, 2 b], expect: none}\n"
    (rules / "pair.test.yaml").write_text(PAIR + cases)
    (rules / "foreign.test.yaml").write_text("prompts: [hello]\n")  # another tool's
    (rules / "test_more.py").write_text("def test_it():\n    assert 1 + 1 == 2\n")
    done = pytest_in(tmp_path, "rules", "-v")
    assert done.returncode == 1
    assert "2 failed, 3 passed" in done.stdout
    for name in ("good[replay]", "good[local]", "bad[replay]", "bad[local]"):
        assert f"rules/pair.test.yaml::{name}" in done.stdout
    assert "rules/pair.test.yaml:5: bad" in done.stdout
    assert "  +  pair  2.0   1@1.0 2@2.0  unexpected" in done.stdout
    assert "foreign" not in done.stdout


def test_options(tmp_path: Path) -> None:
    (tmp_path / "pair_test.yaml").write_text(
        PAIR + "cases: [{name: good, given: [1 a, 2 b], within_delay: 1, expect: 1}]"
    )
    done = pytest_in(tmp_path, "--tocsin-runtimes", "local", "--tocsin-permutations", "3", "--tocsin-seed", "1")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)
    done = pytest_in(tmp_path, "--tocsin-runtimes", "lcal")
    assert "no runtime 'lcal'" in done.stdout


def test_a_bad_file_is_shown_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "pair.test.yaml").write_text(PAIR + "cases: [{name: x, expct: 1}]")
    done = pytest_in(tmp_path)
    assert "pair.test.yaml:3:19: there is no setting 'expct'" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_nothing_heavy_is_imported_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "test_light.py").write_text(
        "import sys\n\n\ndef test_light():\n"
        "    loaded = [name for name in sys.modules if name.startswith(('tocsin', 'yaml', 'pyarrow', 'pyspark', 'numpy'))]\n"
        f"    assert sorted(loaded) == {['tocsin', 'tocsin.errors', 'tocsin.testing', 'tocsin.testing.discovery', PLUGIN]}\n"
    )
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


def test_pytest_finds_it_by_its_entry_point() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'[project.entry-points.pytest11]\ntocsin = "{PLUGIN}"\n' in text
