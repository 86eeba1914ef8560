"""Rules tested like code: given events, expected detections, in files beside the rules or from Python.

    cases         what a case is                       files         test files, with every fault at its place
    marked        YAML values that know their places   given         events, in long and in short
    expectations  what is to be detected               comparison    ... against what was
    arrivals      orders in which events may arrive    verdicts      a case in a runtime, in every order
    runtimes      the runtimes                         coverage      which rules and alternatives ever fired
    differences   ... for people                       junit         ... for CI servers
    discovery     finding test files                   updates       writing what was found as what is expected
    python_cases  `check`, for tests in Python         pytest_plugin   the same files in pytest

Nothing is imported before it is used: pytest loads this package at its start, wherever Tocsin is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tocsin.testing.python_cases import check

__all__ = ["check"]


def __getattr__(name: str) -> object:
    if name == "check":
        from tocsin.testing.python_cases import check

        return check
    raise AttributeError(f"module 'tocsin.testing' has no attribute '{name}'")
