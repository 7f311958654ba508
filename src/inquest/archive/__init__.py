"""Evidence: snapshots identified by their hash, stored on disk and exchanged as WARC and WACZ."""
