"""How Java runs in tests: what ends soon need not be compiled well, nor collected by many threads."""

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Takes three fifths of the CPU time. `tests/conftest.py` gives it to every driver; what else is Java's is told by
`JAVA_TOOL_OPTIONS`, of which Java tells everybody."""
