"""A deployment of one's own, tried before it is bought: sites, links, sources and rules from a file."""
