"""Where strangers meet: who waits, and how one sits down with them."""
