"""What relationships and limits do over a set: the table, the pictures of limits, and what the set speaks for."""
