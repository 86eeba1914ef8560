"""Who may do what at the service: keys, tokens, roles and scopes, rates, and the record of every change.

`scopes`         patterns of names, and what a principal is confined to
`permissions`    roles, the table of actions, and the one question `allows`
`keys`           API keys: made, kept as their hash, looked up, rotated
`oidc`           bearer tokens of an identity provider
`key_sets`       the public keys of that provider, fetched when they are needed
`limits`         how often a principal may ask, and how slow guessing is made
`authentication` who asks, by what stands in a request's `Authorization`
`audit`          the record of each change
"""
