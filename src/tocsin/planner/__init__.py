"""From rules to how they are run: `plan(program, settings)` makes a plan, pass by pass (`passes.py`)."""

from tocsin.planner.passes import plan

__all__ = ["plan"]
