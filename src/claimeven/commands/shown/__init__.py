"""What commands show, in words and as JSON."""
