"""Peers: other engines on the same events, each in a small Java program of its own beside these files."""
