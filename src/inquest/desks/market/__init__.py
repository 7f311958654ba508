"""The market desk: what is reported now on a company, sector or index."""
