"""A site as a process: a broker under it, a clock, a disk. What it does is the site's own (`sites.site`).

topics      who may be called what, and which topics of the broker belong to whom
wires       the broker as sites need it: publish to a topic, take the messages of two. One file for each broker
network     a wire that comes back, messages that travel together, messages in pieces
clocks      the machine's clock, which never goes back here
store       the data directory: what a site was given, and its state once in a while
portraits   what parts that leave remember, written down while the site goes on
process     a site's turn: take what came, write it down, send what comes of it
requests    the rules that somebody at a site has asked for, spread anew when the directory changes
metrics     the site's figures for Prometheus
guest       who is at no site: hears who is there, asks sites, publishes, subscribes
"""
