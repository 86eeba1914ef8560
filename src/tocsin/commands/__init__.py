"""The verbs of the command line, one file each. Each module has `EXAMPLES`, `configure` and `run`."""
