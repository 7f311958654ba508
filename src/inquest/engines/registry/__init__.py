"""Registers of companies: services on the network, and tables stored on this machine."""
