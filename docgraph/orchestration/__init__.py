"""The whole trip, and what people do around it: every stage is imported here and nowhere else."""
