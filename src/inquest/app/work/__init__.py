"""Work on many machines: a queue in PostgreSQL, workers that take cases from it, and the figures for operators."""
