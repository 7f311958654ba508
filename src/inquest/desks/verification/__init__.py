"""The verification desk: a topic investigated to a level."""
