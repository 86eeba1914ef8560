"""The Active Office of 001 (sections 2.1 and 7.1): what is detected there, and what it costs over which network."""
