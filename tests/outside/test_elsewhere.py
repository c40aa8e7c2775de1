"""Other systems have no fcntl, no termios and no affinities: every module can be imported all the same."""

import subprocess
import sys

MISSING = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")

# Only our own imports are refused: what the libraries need, they have where they are installed.
PROGRAM = f"""
import builtins, os, pkgutil, signal, sys
import claimeven

real = builtins.__import__

def on_another_system(name, globals=None, locals=None, fromlist=(), level=0):
    ours = (globals or {{}}).get("__name__", "").startswith("claimeven")
    if ours and name in {MISSING}:
        raise ImportError(f"there is no {{name}} here")
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = on_another_system
del os.sched_getaffinity, os.killpg, signal.pthread_sigmask
names = [module.name for module in pkgutil.walk_packages(claimeven.__path__, "claimeven.")]
for name in names:
    if not name.endswith("__main__") and ".migrations.env" not in name and ".neural." not in name:
        real(name)
from claimeven.commands.asked.options import cores
print(len(names), cores())
"""


def test_everything_is_imported_without_posix() -> None:
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    modules, cores = map(int, result.stdout.split())
    assert modules > 150
    assert cores >= 1
