"""`make demo`: rules in EPS, GEM and YAML over a recorded stream; a table, and a timeline to look at."""

from __future__ import annotations

import sys
from pathlib import Path

from tocsin.cli import main

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "out" / "demo"
RULES = [str(HERE / name) for name in ("network.gem", "site.eps", "site.yaml")]
EVENTS = str(HERE / "site.jsonl")


def run() -> int:
    """Checks the rules, detects twice (a table for people, JSON Lines for programs), says where everything is."""
    OUT.mkdir(parents=True, exist_ok=True)
    detections, picture = OUT / "detections.jsonl", OUT / "timeline.svg"
    print("The rules, and what each costs:\n", flush=True)
    if code := main(["check", *RULES]):
        return code
    print("\nTwo hours of a small site: links, rooms, logins. What the rules found:\n", flush=True)
    if code := main(["detect", *RULES, "--events", EVENTS, "--format", "table", "--svg", str(picture)]):
        return code
    if code := main(["detect", *RULES, "--events", EVENTS, "--output", str(detections)]):
        return code
    shown = [path.relative_to(HERE.parent) for path in (detections, picture)]
    print(f"\ndetections as JSON Lines:  {shown[0]}\ntimeline, for a browser:   {shown[1]}")
    print("rules and events:          demo/")
    return 0


if __name__ == "__main__":
    sys.exit(run())
