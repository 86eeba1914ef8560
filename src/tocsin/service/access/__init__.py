"""Who may do what at the service: keys, tokens, roles and scopes, rates, and the record of every change.

`scopes`         patterns of names, and what a principal is confined to
`permissions`    roles, the table of actions, and the one question `allows`
`keys`           API keys: made, kept as their hash, looked up, rotated
`provider`       an identity provider, as the settings describe it
`oidc`           its bearer tokens: their signature and their claims
`key_sets`       the public keys of that provider, fetched when they are needed; what was checked is believed
`limits`         how often a principal may ask, and how slow guessing is made
`authentication` who asks, by what stands in a request's `Authorization`
`refusals`       why somebody is not let in, each with its code and status
`audit`          no secret in what the audit tells of a refusal
"""
