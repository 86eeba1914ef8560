"""The study that 001 (section 9) asks for: how policies depend on applications, flows, places and topologies."""
