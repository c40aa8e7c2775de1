"""People with a name and a key, and what is known of them."""
