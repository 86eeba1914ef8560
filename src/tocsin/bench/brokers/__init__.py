"""Real brokers on this machine, started on free ports: for the figures of `bench live`, and for the tests."""
