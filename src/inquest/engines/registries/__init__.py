"""Engines of the tables of registers that are kept on this machine: one file each."""
