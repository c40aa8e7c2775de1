"""A file that belongs to one process at a time, on every system."""

import os
import sys

FAR = 1 << 30  # where nothing is written: Windows lets nobody read what is locked


def lock(file: int) -> None:
    """Take an open file until it is closed, however the process ends; BlockingIOError: another has it."""
    if sys.platform == "win32":
        import msvcrt

        here = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
        finally:
            os.lseek(file, here, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
