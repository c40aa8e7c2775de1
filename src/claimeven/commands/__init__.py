"""The commands, one small module per group; cli.py lists them.

A command parses its text, calls a room below and shows the answer. Rooms are imported inside the
functions, so that `claimeven --help` loads none of them.
"""
