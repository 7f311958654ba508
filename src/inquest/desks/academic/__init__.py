"""The academic desk: literature, standards and benchmarks."""
