"""From patterns to plans: what the engine searches for when an event arrives."""
