"""Doors to other people's worlds: PettingZoo, Gymnasium, OpenSpiel.

Each is a module of its own that imports what it adapts to; `pip install 'claimeven[envs]'` brings all of
them. Columns count from 0 there, as in Python here.
"""
