"""The planning module of the contract: understands, rewrites, remembers, puts actions in sequence; never searches."""
