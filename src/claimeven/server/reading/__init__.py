"""Texts of strangers that take long to read: a program of its own reads them, beside the server."""
