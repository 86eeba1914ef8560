"""`tocsin bench sites`: what it costs to spread detection over sites.

figures    the figures by name
wires      events through a site over a real broker, and what a site on the way adds to the delay
simulator  messages that the simulator carries
office     the Active Office for real: how late its detections are told
moving     how much later detections are told while a part moves
failures   how soon a site that failed is named
planning   how long it takes to plan a subscription in a network of 10,000 sites
"""
