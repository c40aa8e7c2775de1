"""Games on disk: tables, rows, the one thread that writes."""
