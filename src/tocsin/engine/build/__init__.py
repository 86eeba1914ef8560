"""From plans to the network: searches, nodes and chains of states are built, and guards become tests over columns."""
