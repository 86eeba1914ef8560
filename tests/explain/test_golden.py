"""What `tocsin explain` writes for the rules in tests/golden/explain, file by file.

After a change that is meant, `TOCSIN_RENEW=1 make test ARGS=tests/explain/test_golden.py` writes the files anew (the
pictures of docs/explain.md are renewed likewise by tests/docs/test_explain.py). Look at what `git diff` shows, and at
the pictures.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tocsin.cli import main

FOLDER = Path(__file__).parents[1] / "golden" / "explain"

VIEWS = {
    "graph": [],
    "plan": ["--plan"],
    "automaton": ["--automaton"],
    "shards": ["--engine", "spark"],
}

CASES = [
    ("links", "graph"),
    ("links", "plan"),
    ("links", "shards"),
    ("mixed", "graph"),
    ("mixed", "plan"),
    ("mixed", "shards"),
    ("automata", "automaton"),
]


@pytest.mark.parametrize(("rules", "view"), CASES, ids=[f"{rules}-{view}" for rules, view in CASES])
def test_what_is_written(rules: str, view: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [tmp_path / f"{rules}.{view}.{kind}" for kind in ("mmd", "svg")]
    words = ["explain", str(FOLDER / f"{rules}.yaml"), *VIEWS[view]]
    assert main([*words, "--mermaid", str(pictures[0]), "--svg", str(pictures[1])]) == 0
    found = {f"{rules}.{view}.txt": capsys.readouterr().out}
    found |= {picture.name: picture.read_text(encoding="utf-8") for picture in pictures}
    for name, text in found.items():
        if os.environ.get("TOCSIN_RENEW"):
            (FOLDER / name).write_text(text, encoding="utf-8")
        assert text == (FOLDER / name).read_text(encoding="utf-8"), f"{name}: see the head of {__file__}"


def test_every_golden_file_is_compared() -> None:
    known = {f"{rules}.{view}.{kind}" for rules, view in CASES for kind in ("txt", "mmd", "svg")}
    assert {path.name for path in FOLDER.iterdir() if path.suffix != ".yaml"} == known
