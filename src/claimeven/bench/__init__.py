"""Measurements of the solver: against a peer, of single calls, and the signature of the search."""
