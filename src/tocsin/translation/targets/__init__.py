"""What rules can be translated to: one file a target, found by itself, a module with NAME and `write`."""
