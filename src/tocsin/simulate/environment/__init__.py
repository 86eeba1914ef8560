"""The environment of 002: sites with event simulators, clocks that are off, delays and failures."""
