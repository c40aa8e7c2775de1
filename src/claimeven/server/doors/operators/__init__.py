"""For whoever runs the server: numbers, and who is here."""
