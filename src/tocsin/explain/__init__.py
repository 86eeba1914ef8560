"""What runs where for a program: its shared network, its search plans, its automata, its shards, as graphs and text."""
