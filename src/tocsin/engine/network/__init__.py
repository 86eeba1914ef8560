"""The network: all rules that are searched for, over rows of numbers. Every module of it is compiled."""
