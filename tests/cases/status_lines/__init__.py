"""Cases of decision records that say in their status what replaced them, or what they replace."""
