"""The demo: a day on a simulated campus through streaming Spark. `make demo`, or `python -m demo`."""
