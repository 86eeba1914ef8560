"""An engine's state as bytes, and back; and rules that move from one engine to another with theirs."""
