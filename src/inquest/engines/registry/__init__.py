"""Registers of companies: services on the network, and tables that are kept on this machine."""
