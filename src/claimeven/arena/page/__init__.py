"""The report of a tournament, an HTML page: its parts."""
