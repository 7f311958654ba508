"""Work on many machines: a queue in PostgreSQL, workers that take from it, and what an operator sees of both."""
