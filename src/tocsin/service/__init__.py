"""The event processing service: events and requests for notification in, notifications out, for all on the network."""
