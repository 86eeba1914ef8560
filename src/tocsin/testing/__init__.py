"""Rules tested like code: given events, expected detections, in files beside the rules or from Python.

    cases       what a case is                       reading     test files, with every fault at its place
    marked      YAML values that know their places   given       events, in long and in short
    expecting   what is to be detected               comparing   ... against what was
    arrivals    orders in which events may arrive    judging     a case in a runtime, in every order
    running     the runtimes                         coverage    which rules and alternatives ever fired
    showing     differences for people               junit       ... for CI servers
    discovery   finding test files                   updating    writing what was found as what is expected
    checking    `check`, for tests in Python         pytest_plugin   the same files in pytest

Nothing is imported before it is used: pytest loads this package at its start, wherever Tocsin is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tocsin.testing.check import check

__all__ = ["check"]


def __getattr__(name: str) -> object:
    if name == "check":
        from tocsin.testing.check import check

        return check
    raise AttributeError(f"module 'tocsin.testing' has no attribute '{name}'")
