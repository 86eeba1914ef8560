"""The event processing service: events in, requests for notification, callbacks; nothing acknowledged gets lost."""
