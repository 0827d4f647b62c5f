"""What stands around the texts of an import, read without trusting it: front matter, sidecars, profiles."""
