"""The event processing service: events come over the network, requests for notification are kept, callbacks told.

Everything is a function of one durable log (`records.Entry`): what the rules remember, what was detected, who is told.

    records     what is kept: entries of the log, detections, deliveries, keys
    store/      where it is kept: SQLite, PostgreSQL, memory; one contract
    retention   how long it is kept
    settings, settings_file, setting_kinds      how a service is set up; read from `serve.yaml`; what a setting is
    event_types what events of a declared type must have
    bodies      bodies on their way in, taken together
    admission   bodies of requests made into events, or refused with a reason
    known_names which events have come, by source and id
    requests    documents of requests made into rules, or all their faults
    gem_monitor the GEM monitor beside the requests
    core        the service without its surroundings: no threads, no sockets, no clock of its own
    server      the core among them: group commit, time, delivery
    request_documents, rules_files      a document read, with the places of its faults; rules files as documents
    rules_at_work, comparisons          the rules behind a position of the log; shadows beside their requests
    streams     detections as they come, for many who listen
    subscriptions       topics of brokers that are followed
    deliveries/ who is told of a detection, and what became of it
    delivery_rows       its rows in the store, and its senders as the settings say
    access/     keys, roles, limits
    web/        the service over HTTP
    questioner, questions   what takes its time, asked of a process of its own; that process
    kept, past  the events that are kept, as such questions read them; the same, held decoded
    standing    the requests as they stood
    site_observer, site_map     who looks at the sites of a deployment; the map of what they say
    explanations, backtests, replays    why, and why not; what a request would have found; one stepped through events
    marks       rules proposed from events that somebody has marked
    notations, drawings a request in every language; as a drawing
    process, logs, traces       the process of `tocsin serve`; its log; its traces
    client, backups     for commands: calls over HTTP; a backup put in its place
"""
