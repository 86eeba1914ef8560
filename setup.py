"""Builds Tocsin: the modules below compiled by mypyc where that is possible, plain Python where not.

`TOCSIN_COMPILE` says which: `auto` (the default: compile, and install plain Python if anything prevents it),
`always` (fail instead), `never`. One source, two ways to run it; an editable install is always plain, so that
no compiled file in `src` ever hides a newer source.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import cast

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

COMPILED = (
    "tocsin/time/gregorian.py",
    "tocsin/time/instants.py",
    "tocsin/time/periods.py",
    "tocsin/time/scanner.py",
    "tocsin/time/spans.py",
    "tocsin/time/stamps.py",
    "tocsin/algebra/attributes.py",
    "tocsin/algebra/automata.py",
    "tocsin/algebra/combinations.py",
    "tocsin/algebra/contexts.py",
    "tocsin/algebra/delays.py",
    "tocsin/algebra/detectors.py",
    "tocsin/algebra/evaluation.py",
    "tocsin/algebra/finder.py",
    "tocsin/algebra/firings.py",
    "tocsin/algebra/frontier.py",
    "tocsin/algebra/functions.py",
    "tocsin/algebra/growth.py",
    "tocsin/algebra/interpreter.py",
    "tocsin/algebra/meaning.py",
    "tocsin/algebra/names.py",
    "tocsin/algebra/notes.py",
    "tocsin/algebra/occurrence.py",
    "tocsin/algebra/operations.py",
    "tocsin/algebra/order.py",
    "tocsin/algebra/partitions.py",
    "tocsin/algebra/arrival_queue.py",
    "tocsin/algebra/replay.py",
    "tocsin/algebra/automaton_runs.py",
    "tocsin/algebra/scene.py",
    "tocsin/algebra/stability.py",
    "tocsin/algebra/streaks.py",
    "tocsin/algebra/values.py",
    "tocsin/engine/*.py",
    "tocsin/engine/detectors/*.py",
    "tocsin/engine/network/*.py",
    "tocsin/runtime/amended.py",
    "tocsin/runtime/ordered.py",
    "tocsin/runtime/rewinder.py",
    "tocsin/runtime/runtime.py",
    "tocsin/runtime/verbs.py",
)
"""What is compiled: what runs for every event, under `src`.

Not `patterns`, `guards` and `points`: they are data, and the codec reads the types of their fields, which mypyc erases.
"""

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src"

BUILDING = {"bdist_wheel", "build", "build_ext", "install"}
"""The commands that need compiled modules; mypyc takes too long to run for the others (metadata, sdist, editable)."""


def choice() -> str:
    """What `TOCSIN_COMPILE` asks for."""
    asked = os.environ.get("TOCSIN_COMPILE") or "auto"
    if asked not in ("auto", "always", "never"):
        sys.exit(f"setup.py: TOCSIN_COMPILE is {asked!r}: auto, always or never")
    return asked


def compiled_files() -> list[str]:
    """The files that `COMPILED` names, relative to here, in a fixed order."""
    found = {path for pattern in COMPILED for path in SOURCES.glob(pattern) if path.name != "__init__.py"}
    return sorted(str(path.relative_to(ROOT)) for path in found)


def attempt(step: Callable[[], list[Extension]]) -> list[Extension]:
    """What `step` gives; in `auto`, nothing where it fails, with one line that says so."""
    try:
        return step()
    except (Exception, SystemExit) as error:  # mypyc and compilers fail in many ways, also by exiting
        if choice() == "always":
            raise
        reason = "the lines above say why" if isinstance(error, SystemExit) else f"{type(error).__name__}: {error}"
        print(f"setup.py: not compiled, installing plain Python: {reason.splitlines()[0][:200]}", file=sys.stderr)
        return []


def require_compiler() -> None:
    """Raises where there is no C compiler: mypyc would work for a minute before that came out."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
    if command and shutil.which(command[0]) is None:  # none is named where the compiler is Microsoft's
        raise FileNotFoundError(f"there is no C compiler ({command[0]})")


def extensions() -> list[Extension]:
    """The C extensions mypyc makes of the compiled files; none where this command or the user wants none."""
    if choice() == "never" or not BUILDING.intersection(sys.argv[1:]) or "editable_wheel" in sys.argv:
        return []

    def translate() -> list[Extension]:
        require_compiler()
        from mypyc.build import mypycify  # here, for plain Python needs none

        os.chdir(ROOT)  # mypy reads pyproject.toml here
        # What is imported but not compiled may need packages that the build does not have: `make lint` checks it.
        files = ["--follow-imports=silent", *compiled_files()]
        return cast("list[Extension]", mypycify(files, opt_level="3", debug_level="0"))

    return attempt(translate)


class BuildOrFallBack(build_ext):
    """Builds all extensions or none: half a group of compiled modules cannot be imported."""

    def run(self) -> None:
        def build() -> list[Extension]:
            super(BuildOrFallBack, self).run()
            return list(self.extensions)

        wanted = list(self.extensions or [])
        if wanted and not attempt(build):
            for extension in wanted:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []


if __name__ == "__main__":  # .ci/assert_compiled.py reads the list above
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildOrFallBack})
