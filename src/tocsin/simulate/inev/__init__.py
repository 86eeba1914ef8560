"""Queries over twenty nodes, of the kind that INEv (SIGMOD 2023) reports on: what a plan sends beside a central one."""
