"""Servers as people have them: versions, schemas of the extension, roles, poolers, standbys."""
