"""Engines that search news and earlier fact checks: one file each."""
