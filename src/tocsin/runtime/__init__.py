"""Rules at work: one protocol (`verbs`), one class behind it (`runtime`), made of parts.

verbs       what everybody who runs rules may say: process, advance, command, change, ...
runtime     all of it: a part for each clock, versions, a candidate beside
ordered     one part: an order of arrival in front of an engine
amended     the other: late events change what was reported; `rewinder` goes back for it
clocks      which rules run on which clock
logs        a whole log driven through
forecast    how much a rule may find, told beforehand
"""

from tocsin.runtime.options import Options
from tocsin.runtime.runtime import Runtime
from tocsin.runtime.verbs import Verbs

__all__ = ["Options", "Runtime", "Verbs"]
