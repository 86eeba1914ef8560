"""`tocsin bench sites`: what it costs to spread detection over sites.

figures    the figures by name
planning   how long it takes to plan a subscription in a network of 10,000 sites
"""
