"""On which site each part runs (001 section 6.2): chosen by a policy, from links, rates and hints, shown first.

topologies   sites and their links: what a byte costs from one to another, and how long it takes
trees        routes in a tree of sites, and the few of its sites that matter for a plan
rates        how much flows: measured by the sites, heard in what they say of themselves
estimates    how much parts give out that never ran
chains       ... of a sequence: which of its events take part
demands      what a rule asks of the network: its streams, the cuts it has, what it tells
least_bytes  where the parts of a demand cost fewest bytes, exactly
least_delay  ... and where they take least time
policies     the policies by name, and the hints that an application may give
predictions  messages and bytes of a plan, link by link; beside what was measured after
comparisons  ... as a table, and as JSON
plans        `plan`: from rules to a deployment, with the reasons
plan_texts   ... as text and JSON
together     very many demands planned together, never dearer than all of them at one site
running      what runs already, and what it looks for
changes      from what runs to what was planned: create, delegate, reuse, migrate, replicate, destroy
replanning   when rates change: moves that are worth it, and no going to and fro
"""
