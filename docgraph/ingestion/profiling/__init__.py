"""A folder previewed before anything is stored, and read as its profile says."""
