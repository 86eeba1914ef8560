"""The event processing service: events come over the network, requests for notification are kept, callbacks told.

Everything is a function of one durable log (`records.Entry`): what the rules remember, what was detected, who is told.

    records     what is kept: entries of the log, detections, deliveries, keys
    store/      where it is kept: SQLite, PostgreSQL, memory; one contract
    admission   bodies of requests made into events, or refused with a reason
    requests    documents of requests made into rules, or all their faults
    gem_monitor the GEM monitor beside the requests
    core        the service without its surroundings: no threads, no sockets, no clock of its own
    server      the core among them: group commit, time, delivery
    deliveries/ who is told of a detection, and what became of it
    access/     keys, roles, limits
    web/        the service over HTTP
"""
