"""Every sentence of the coach, read back and checked on a board of its own."""
