"""Fails unless every module that setup.py lists as compiled is really loaded from a compiled file.

Without this, `make test-compiled` could pass on the plain sources and say nothing about the compiled ones.
"""

import importlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))

from setup import compiled_files  # noqa: E402 - the path above comes first

names = [".".join(Path(file).with_suffix("").parts[1:]) for file in compiled_files()]
loaded = {name: str(importlib.import_module(name).__file__) for name in names}
plain = {name: file for name, file in loaded.items() if not file.endswith(tuple(EXTENSION_SUFFIXES))}
for name, file in plain.items():
    print(f"not compiled: {name} comes from {file}", file=sys.stderr)
if plain or not names:
    sys.exit("the compiled install is not compiled" if plain else "setup.py lists no module to compile")
print(f"compiled: {len(names)} modules")
