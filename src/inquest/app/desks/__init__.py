"""Briefs made from users' requests to each desk; stored and watched topics."""
