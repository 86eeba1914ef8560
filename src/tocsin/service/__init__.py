"""The event processing service: the rules of the engine as something that runs, listens and is spoken to."""
