"""The tabs of the Query sets page: each draws itself for a scope."""
