"""The programme of faults: one module a row, each of which breaks something many times and counts what held."""
