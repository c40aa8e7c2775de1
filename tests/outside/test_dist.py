"""What `make dist` leaves for PyPI."""

import os
import re
import subprocess

import pytest

from kit.places import ROOT


@pytest.mark.slow
def test_the_wheel_is_one_that_pypi_takes() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run(["make", "dist"], cwd=ROOT, check=True, env=environment, stdout=subprocess.DEVNULL)
    wheels = [path.name for path in (ROOT / "dist").glob("*.whl")]
    assert len(wheels) == 1
    assert re.search(r"-manylinux_2_\d+_(x86_64|aarch64)\.whl$", wheels[0]), wheels
