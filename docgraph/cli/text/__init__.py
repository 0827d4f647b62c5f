"""What commands print: one module a noun."""
