"""The data between planner and engine: how the rules of a program are run, as values.

`programs` has the whole: which rules run where, and which are searched for as one. `searches` has the parts: branches
of leaves and constraints, and the steps by which they are looked for. `trees` asks them things, `codec` writes them.
"""
