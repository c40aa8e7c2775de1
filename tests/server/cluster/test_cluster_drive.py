"""The disk under PostgreSQL of the fault harness is full and slow as a real one, and its clock is set."""

import time

import psycopg
import pytest

from faults.cluster.drive import Drive
from kit.databases import Postgres

FILL = "INSERT INTO t SELECT repeat('x', 2000) FROM generate_series(1, 100)"


@pytest.mark.parametrize("log_needs_room", [False, True])
def test_a_full_disk_takes_nothing_and_loses_nothing(log_needs_room: bool) -> None:
    with Drive() as drive, Postgres(variables=drive.variables) as postgres:
        with psycopg.connect(postgres.url, autocommit=True) as session:
            session.execute("CREATE TABLE t (c text)")
            session.execute(FILL)
            with drive.full():
                if log_needs_room:  # PostgreSQL cannot go on
                    session.execute("SELECT pg_switch_wal()")
                with pytest.raises(psycopg.OperationalError):
                    session.execute(FILL)
            assert drive.refused > 0
        postgres.revive()
        with psycopg.connect(postgres.url, autocommit=True) as session:
            assert session.execute("SELECT count(*) FROM t").fetchone() == (100,)
            session.execute(FILL)
            assert session.execute("SELECT count(*) FROM t").fetchone() == (200,)


def test_a_slow_disk_makes_a_commit_wait() -> None:
    with (
        Drive() as drive,
        Postgres(variables=drive.variables) as postgres,
        psycopg.connect(postgres.url) as session,
    ):
        session.execute("CREATE TABLE t (c text)")
        with drive.slow(0.5):
            began = time.monotonic()
            session.commit()
            assert time.monotonic() - began > 0.4


def test_a_clock_that_is_set_tells_another_time_and_lasts_as_long() -> None:
    with (
        Drive() as drive,
        Postgres(variables=drive.variables) as postgres,
        psycopg.connect(postgres.url, autocommit=True) as session,
    ):

        def ahead() -> float:
            row = session.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
            assert row is not None
            return float(row[0]) - time.time()

        assert abs(ahead()) < 60
        for seconds in (86_400, -86_400):
            drive.set_clock(seconds)
            assert abs(ahead() - seconds) < 60
            session.execute("SET statement_timeout = 20000")
            session.execute("SELECT pg_sleep(0.1)")
        drive.set_clock(0)
        assert abs(ahead()) < 60
