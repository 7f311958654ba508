"""Engines that search captures of pages and the user's own documents: one file each."""
