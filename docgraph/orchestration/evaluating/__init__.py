"""Query sets asked in several configurations: on how many questions something helps, and how surely."""
