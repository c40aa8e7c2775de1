"""No two owners write: PostgreSQL looks, at every commit, whether who writes of a game has its lease."""

import psycopg

# At the end of a transaction: a game that begins gets its lease in the same one.
TRIGGERS = """
CREATE TABLE audit (at timestamptz DEFAULT clock_timestamp(), what text, game text, writer text, owner text);
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  id_of text := CASE TG_TABLE_NAME WHEN 'games' THEN to_jsonb(NEW) ->> 'id'
    WHEN 'pairings' THEN 'event:' || (to_jsonb(NEW) ->> 'event') ELSE to_jsonb(NEW) ->> 'game' END;
  writer text := current_setting('application_name');
  owner text := (
    SELECT address FROM cluster_leases JOIN cluster_servers ON id = server WHERE game = id_of
  );
BEGIN
  -- A name that is forgotten in a game that is nobody's.
  IF owner IS NULL AND TG_TABLE_NAME = 'seats' AND to_jsonb(NEW) ->> 'name' = '' THEN
    RETURN NULL;
  END IF;
  IF writer <> left('claimeven ' || coalesce(owner, 'nobody'), 63)
     AND (TG_TABLE_NAME = 'pairings' OR EXISTS (SELECT 1 FROM games WHERE id = id_of)) THEN
    INSERT INTO audit (what, game, writer, owner) VALUES (TG_TABLE_NAME, id_of, writer, owner);
  END IF;
  RETURN NULL;
END $$;
"""
TABLES = ("moves", "requests", "seats", "takes", "games", "pairings")


def begin(url: str) -> None:
    with psycopg.connect(url) as session:
        session.execute(TRIGGERS)
        for table in TABLES:
            when = "UPDATE" if table == "games" else "INSERT OR UPDATE"
            session.execute(
                f"CREATE CONSTRAINT TRIGGER audit_{table} AFTER {when} ON {table}"
                " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit()"
            )


def found(url: str) -> list[str]:
    """Writes of who had no right to."""
    with psycopg.connect(url) as session:
        rows = session.execute("SELECT game, what, writer, owner FROM audit ORDER BY at").fetchall()
    return [
        f"{game}: {what} written by {writer}, though it is of {owner}" for game, what, writer, owner in rows
    ]
