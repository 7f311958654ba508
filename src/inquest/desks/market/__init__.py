"""The market desk: current reports on a company, sector or index."""
