"""Positions with the exact score of every column: drawn, labelled on many cores, kept in one file."""

from claimeven.learn.labels.exact import ILLEGAL, LOST, VALUE, WON, label
from claimeven.learn.labels.file import Labels, merged, read_labels
from claimeven.learn.labels.make import Wanted, make_labels

__all__ = [
    "ILLEGAL",
    "LOST",
    "VALUE",
    "WON",
    "Labels",
    "Wanted",
    "label",
    "make_labels",
    "merged",
    "read_labels",
]
