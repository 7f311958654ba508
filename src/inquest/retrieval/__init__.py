"""Retrieval: what is asked of which engine, and what is read of what they give; once, for every desk."""
