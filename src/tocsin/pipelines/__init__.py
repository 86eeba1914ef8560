"""A pipeline, whatever runs it: what its file says, the versions of its rules, its figures."""
