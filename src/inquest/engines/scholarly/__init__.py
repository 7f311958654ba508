"""Engines that search scholarly literature: one file each."""
