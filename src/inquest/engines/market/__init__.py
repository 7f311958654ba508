"""Engines that search filings, quotes and news of markets: one file each."""
