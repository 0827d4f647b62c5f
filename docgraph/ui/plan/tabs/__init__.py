"""The tabs under the plan: its passages, and the picture as tables."""
