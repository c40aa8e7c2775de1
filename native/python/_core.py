"""Loads the build of the native core that suits this processor and takes its place.

Wheels for x86-64 carry several builds (CMakeLists.txt); the vector units decide how fast the solver is.
CLAIMEVEN_CORE=v4, v3 or baseline names one of them, to measure it beside another.
"""

import os
import sys
from importlib import import_module

# What the x86-64 levels 3 and 4 add, as far as the core makes use of it.
LEVELS = {
    "v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi2", "fma"},
    "v3": {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe", "abm"},
}


def processor_flags() -> set[str]:
    """The features that Linux reports; none elsewhere."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
            for line in cpuinfo:
                if line.startswith("flags"):
                    return set(line.partition(":")[2].split())
    except OSError:
        pass
    return set()


FLAGS = processor_flags()
BUILDS = [level for level, needed in LEVELS.items() if needed <= FLAGS] + ["baseline"]
BUILD = os.environ.get("CLAIMEVEN_CORE", BUILDS[0])
if BUILD not in BUILDS:  # another one would not load, or crash at its first instruction
    print(f"claimeven: CLAIMEVEN_CORE must be {', '.join(BUILDS)} here, not {BUILD!r}", file=sys.stderr)
    sys.exit(2)
sys.modules[__name__] = import_module(f"claimeven._core_{BUILD}")
