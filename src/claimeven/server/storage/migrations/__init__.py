"""How the tables came to be: Alembic runs what is missing at every start."""
