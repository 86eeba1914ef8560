"""Rules for other engines: what they come down to (`chains`), and how each engine says it, a file an engine."""
