"""Measures for several machines: losses when they fail, the delay of events, and the gain from more workers."""
