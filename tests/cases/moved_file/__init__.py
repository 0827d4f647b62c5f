"""Cases of files that were moved or renamed between two imports."""
