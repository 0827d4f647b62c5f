"""What is kept beside the workspaces and outlives them: saved runs, query sets with their evaluations."""
