"""Real sites in many simulated worlds: see `worlds`. A seed that fails says how it is lived again."""

from __future__ import annotations

import os

import pytest

from tests.sites.worlds import Difference, TellingWorld, lived, main, report_of

SEEDS = int(os.environ.get("TOCSIN_SEEDS") or 500)
PART = max(50, SEEDS // 100)
"""Seeds of one test: many tests, so that they can run beside each other."""


@pytest.mark.parametrize("first", range(0, SEEDS, PART))
def test_sites_detect_what_the_single_engine_detects(first: int) -> None:
    for seed in range(first, min(first + PART, SEEDS)):
        lived(seed)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(300580, id="what is held for a part that leaves was let go when another came for the same stream"),
        pytest.param(303028, id="a part came to a replica that kept nothing of what it had yet to take"),
        pytest.param(303515, id="a part was asked for when it had been dropped, since nobody had asked in time"),
        pytest.param(400126, id="a part came to a site where its stream had ended for others"),
        pytest.param(400018, id="a replica came where the stream was held for a part that left"),
        pytest.param(400180, id="what was given to who came from elsewhere was kept for ever"),
        pytest.param(400743, id="what was held for a part that had left was kept for ever where its stream had gone"),
        pytest.param(500311, id="a part whose stream nobody took any more was dropped while it was on its way"),
        pytest.param(500308, id="a site that took a stream no more was told it for ever"),
        pytest.param(510013, id="what was lost twice waited as long as more was sent"),
        pytest.param(510171, id="... behind a gap, too"),
    ],
)
def test_what_once_went_wrong(seed: int) -> None:
    """Each failed in the way it is named by; a seed is another world when what `tests/engine` draws has changed since."""
    lived(seed)


def test_a_seed_is_one_world(capsys: pytest.CaptureFixture[str]) -> None:
    assert lived(7).story == lived(7).story
    assert lived(7).story != lived(8).story
    assert main(["7"]) == 0
    assert "comes back" in capsys.readouterr().out


def test_the_worlds_are_full_of_life() -> None:
    met = report_of(lived(seed) for seed in range(60))
    assert met["crashes"] > 60
    assert min(met["torn"], met["cut off"], met["moves"], met["copies"]) > 10
    assert min(met["with detections"], met["with joins"]) > 15


def test_a_loss_is_found_and_the_seed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that tells of a stream's end and swallows what came before it, behind everybody's back."""
    begin = TellingWorld.send

    def swallow(self: TellingWorld, sender: str, to: str, message: dict[str, object]) -> None:
        if message["is"] == "outputs" and "/" in str(message["stream"]) and sender in "ABC":
            message = message | {"outputs": [], "first": int(str(message["last"])) + 1}
            message |= {"last": 0}
        begin(self, sender, to, message)

    monkeypatch.setattr(TellingWorld, "send", swallow)
    with pytest.raises(Difference) as caught:
        report_of(lived(seed) for seed in range(30))
    assert any("python -m tests.sites.worlds" in note for note in caught.value.__notes__)
