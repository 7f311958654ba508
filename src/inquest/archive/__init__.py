"""Evidence: snapshots known by their hash, kept on disk and exchanged as WARC and WACZ."""
