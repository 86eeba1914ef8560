"""`tocsin site` as a process: it ends cleanly when it is told to."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(
    "options", [[], ["--data", "HOME/A"], ["--output", "HOME/found.jsonl", "-e", "a", "--lang", "eps"]]
)
def test_a_site_that_is_told_to_end_does_so_cleanly(tmp_path: Path, end: signal.Signals, options: list[str]) -> None:
    command = [sys.executable, "-m", "tocsin.cli", "site", "--name", "A", "--broker", "memory:end"]
    command += [option.replace("HOME", str(tmp_path)) for option in options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True) as site:
        assert site.stderr is not None
        while "publish events here" not in site.stderr.readline():
            assert site.poll() is None
        site.send_signal(end)
        out, told = site.communicate()
    assert (site.returncode, out) == (0, "")
    assert told.startswith("tocsin: site 'A' has stopped: 0 detections told")
    assert len(told.splitlines()) == 1
