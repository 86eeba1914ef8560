"""How events are numbered: by their place in the order in which they are taken up, times SPREAD.

What rules make of an arrival is numbered in between, right after it.
"""

from typing import Final

from mypy_extensions import i64

SPREAD: Final[i64] = 1048576
