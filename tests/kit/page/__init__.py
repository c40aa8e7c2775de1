"""A person with a browser: the board on the page, and what a picture says."""
