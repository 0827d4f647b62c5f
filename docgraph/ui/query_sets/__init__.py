"""Query sets on a page: the set that the address names, in tabs."""
