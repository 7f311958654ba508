"""What a user asks of each desk, made into a brief; topics kept and watched."""
