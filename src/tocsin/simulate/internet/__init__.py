"""Ten thousand sites and a million subscriptions: what sharing saves, on the planner's figures alone."""
