"""Engines that search the open web: one file each."""
