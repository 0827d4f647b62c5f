"""A folder looked at before anything is stored, and read as its profile says."""
