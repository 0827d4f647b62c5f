"""The tabs under the plan: evidence, context, plan JSON, trace."""
