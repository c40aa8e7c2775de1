"""Doors to other people's worlds: PettingZoo, Gymnasium, OpenSpiel, Jupyter.

Each is a module of its own that imports what it adapts to; the extras `envs` and `notebook` bring that.
Columns count from 0 there, as in Python here.
"""
