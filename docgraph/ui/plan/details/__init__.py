"""The drawer of the Plan page: settings, checks, context, plan JSON, trace."""
