"""The fuzz targets run over their seeds and a few blind mutations, so that `make fuzz` never rots."""

import random
from itertools import islice

import pytest

from kit.places import ROOT
from run import mutations, text_of
from targets import TARGETS

FUZZ = ROOT / "fuzz"


def test_every_target_has_a_corpus() -> None:
    assert sorted(TARGETS) == sorted(path.name for path in (FUZZ / "corpus").iterdir())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_mutations(name: str) -> None:
    seeds = [path.read_bytes() for path in sorted((FUZZ / "corpus" / name).iterdir())]
    for data in [*seeds, *islice(mutations(seeds, random.Random(name)), 300)]:
        TARGETS[name](text_of(data))
