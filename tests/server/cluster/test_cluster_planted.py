"""The storm with a tournament and strangers: both end as promised, and servers that err are seen."""

import asyncio
from pathlib import Path

import pytest

from faults.cluster import strangers
from faults.cluster.drive import Drive
from faults.cluster.run import Outcome, Plan, run
from kit.cluster import Nats
from kit.databases import Postgres

pytestmark = pytest.mark.slow


def outcome(folder: Path, *defects: str, is_club: bool = True, pause: float = 3) -> Outcome:
    """With a tournament, or with strangers."""
    plan = Plan(8, 21, 4, pause, defects, ("kill", "end_sessions"), is_club, not is_club)
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


def test_strangers_in_the_storm_meet_and_are_forgotten(tmp_path: Path) -> None:
    found = outcome(tmp_path, is_club=False)
    assert found.broken == []
    assert found.counts["strangers who met"] == len(strangers.NAMES)
    assert found.counts["strangers forgotten"] > 0


@pytest.mark.parametrize(
    ("defect", "words"), [("deaf", "did not meet anybody"), ("remembering", "and still there as")]
)
def test_a_lobby_that_errs_is_seen(
    tmp_path: Path, defect: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "CALM_SECONDS", strangers.COMING_SECONDS * 3)
    found = outcome(tmp_path, defect, is_club=False, pause=1000)
    assert any(words in fault for fault in found.broken)
