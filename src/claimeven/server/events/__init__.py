"""Tournaments: made by anybody, run by themselves."""
