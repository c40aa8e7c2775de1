"""Our own sources, read: syntax trees, imports, where errors are raised."""
