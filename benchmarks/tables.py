"""Tables of the last runs in `docs/benchmarks.md`, made anew from their JSON.

    python -m benchmarks.tables            # writes the page from benchmarks/results/*.json
    python -m benchmarks.tables FILE.json  # prints the tables of one run
"""
def tables_of(report): return ""
