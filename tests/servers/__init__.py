"""Servers as people have them: versions, schemas of the extension, roles, poolers and standbys, each with every other."""
