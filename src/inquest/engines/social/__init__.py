"""Engines that search posts on social networks: one file each."""
