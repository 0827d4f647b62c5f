"""What people say of findings instead of, or before, an edit: dismissals, triage; the matrix that they look at."""
