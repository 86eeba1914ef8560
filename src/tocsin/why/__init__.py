"""Why a rule fired, or did not: constituents and the values that let them through, or the nearest misses."""
