"""The engine: plans run over columns. Typed Python that mypyc compiles; the same answers when it is not compiled."""
