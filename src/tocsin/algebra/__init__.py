"""What a pattern is and what it means: shapes, guards, rules, checks, and the meaning that judges every runtime."""
