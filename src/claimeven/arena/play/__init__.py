"""Who meets whom, from which openings, and the games themselves."""
