"""Faults on three servers that share a database."""
