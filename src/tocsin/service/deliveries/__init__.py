"""How notifications reach those who asked for them: each at least once, in order, whoever else is slow or away.

targets      what a callback says: a webhook, a broker's topic, a file or a program that the operator has named
records      what is kept of each notification and of each target
retries      when it is tried again after a failure
outbox       what is to be delivered, and what may be tried now; it reads no clock and touches no network
lanes        ... what one target is still to get, in order
senders      what is sent, by whom, and what came of it
webhooks, brokers, local       ... over HTTP, to a broker, to a file or a program
addresses    which addresses of the network may be dialled
deliverer    outbox and senders at work, in an event loop
"""
