"""People of a server, for tests."""
