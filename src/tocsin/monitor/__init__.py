"""A GEM monitor that runs: commands, events and time at any moment, from any thread."""
