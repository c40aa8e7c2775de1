"""The source text of a Kaggle submission, in the order of `PARTS`.

These modules are read rather than run: `claimeven.export.kaggle` joins them into one file, without their
imports of each other. They use the standard library only, and nothing newer than Python 3.8.
"""

PARTS = ("board", "search", "book", "engine", "players", "agent")
