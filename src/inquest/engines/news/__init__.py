"""Engines that search news, and who has checked a claim before: one file each."""
