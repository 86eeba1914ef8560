"""What is compiled fits together: mypyc lets no class that it compiles inherit from one that it does not, or the reverse."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import tocsin

SETUP = Path(__file__).resolve().parents[1] / "setup.py"


def test_classes_are_compiled_with_what_they_inherit_from() -> None:
    compiled = {each.replace("/", ".") for each in re.findall(r'"(tocsin/[a-z_/]+)\.py"', SETUP.read_text())}
    names = [each.name for each in pkgutil.walk_packages(tocsin.__path__, "tocsin.")]
    looked_at = [
        each
        for each in names
        if each.startswith(("tocsin.algebra.", "tocsin.engine.", "tocsin.runtime.", "tocsin.time."))
    ]
    assert compiled <= set(looked_at)
    apart = [
        f"{one.__module__}.{one.__name__} from {base.__module__}"
        for name in looked_at
        for one in vars(importlib.import_module(name)).values()
        if inspect.isclass(one) and one.__module__ == name
        for base in one.__bases__
        if base.__module__.startswith("tocsin.") and (base.__module__ in compiled) is not (name in compiled)
    ]
    assert not apart
