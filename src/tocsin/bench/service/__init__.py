"""The figures of `tocsin bench service`: the service at work on loopback, beside the least that could do as much.

What stands beside it (`reference_chain`, `bare_sends`) takes turns with it in one run, each in a process of its own;
the load comes from this process, so that it costs neither of them anything. CPU time is the process's user and system
time. What was accepted, kept and evaluated is counted on both sides: a ledger that does not balance is `WRONG`.
"""
