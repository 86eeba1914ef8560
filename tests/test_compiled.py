"""What is compiled fits together: mypyc lets no class that it compiles inherit from one that it does not, or the reverse."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import tocsin
from setup import compiled_files


def test_classes_are_compiled_with_what_they_inherit_from() -> None:
    compiled = {path.removeprefix("src/").removesuffix(".py").replace("/", ".") for path in compiled_files()}
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
