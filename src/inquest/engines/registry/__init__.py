"""Registers that answer over the network; those whose tables are kept locally are in `engines/registries.py`."""
