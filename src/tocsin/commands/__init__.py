"""The verbs of the command line, one file each. Each module has `SUMMARY`, `EXAMPLES`, `configure` and `run`."""
