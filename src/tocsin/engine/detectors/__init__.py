"""Rules beside the network: the detectors of the plain meaning over memories that have an index. Compiled."""
