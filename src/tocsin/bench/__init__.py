"""Benchmarks: workloads, plain loops as the yardstick, and figures as ratios of one run."""
