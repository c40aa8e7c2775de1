"""The storm with a tournament: it ends as promised, and a director that errs is seen."""

import asyncio
from pathlib import Path

import pytest

from faults.cluster.drive import Drive
from faults.cluster.run import Outcome, Plan, run
from kit.cluster import Nats
from kit.databases import Postgres

pytestmark = pytest.mark.slow


def outcome(folder: Path, *defects: str) -> Outcome:
    plan = Plan(
        8, 21, at_once=4, pause=3, defects=defects, blows=("kill", "end_sessions"), has_tournament=True
    )
    with Drive() as drive, Postgres(variables=drive.variables) as postgres, Nats() as nats:
        return asyncio.run(run(folder, plan, postgres, nats, drive))


def test_a_tournament_in_the_storm_keeps_its_promises(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    assert found.broken == []
    assert found.counts["tournaments over"] == 1
    assert found.counts["games of tournaments"] == 12


@pytest.mark.parametrize(
    ("defect", "words"), [("bent", "in the table"), ("twice", "is paired 2 times in round 1")]
)
def test_a_director_that_errs_is_seen(tmp_path: Path, defect: str, words: str) -> None:
    assert any(words in fault for fault in outcome(tmp_path, defect).broken)
