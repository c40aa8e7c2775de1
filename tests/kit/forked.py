"""`claimeven …` in processes that import nothing: forks of one process that has imported everything.

A start of `claimeven serve` costs more than a second of the processor, a fork a tenth of that. `Forked` is a
`subprocess.Popen`, and the fork a child of this process like any other, with files, folder, environment,
signals and an exit code of its own. What a new Python reads while it starts, no fork reads: command lines of
another program are started as ever, and those with other such variables are forks of a process that has them.
Tests of a start or an end itself (what is imported, what is taken apart, the order of a set) stay with
`subprocess`.
"""

import atexit
import ctypes
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# Of the environment: read by Python, the loader, the C library and faults/disk.c at a start.
AT_A_START = ("PYTHON", "LD_", "LC_", "MALLOC_", "ASAN_", "TZ", "LANG", "FAULTY_")
# Rooms that stand on what is large and what few commands need.
SELDOM = ("claimeven.adapters", "claimeven.browser", "claimeven.neural")
BESIDE = ("sqlalchemy.dialects.sqlite", "uvicorn.lifespan.on", "multiprocessing.spawn", "rich.console")
LARGEST = 1 << 17  # bytes of what is asked
PR_SET_CHILD_SUBREAPER = 36


class Forked(subprocess.Popen[Any]):
    """`terminal`: its input is the terminal of its session, which is a new one."""

    def __init__(self, args: Sequence[str], *, terminal: bool = False, **options: Any) -> None:
        self._terminal = terminal
        if terminal:
            options |= {"start_new_session": True}
        self._new_session = bool(options.get("start_new_session"))
        super().__init__(args, **options)

    def _execute_child(self, args: Sequence[str], *others: Any) -> None:
        """In place of fork and exec. What is private of Popen here is the same in Python 3.11 to 3.14."""
        executable, _, _, passed, cwd, env = others[:6]
        pipes = others[9:15]
        environment = os.environ if env is None else env
        words = program_of(args)
        breeder = None if words is None or executable or passed else breeder_for(environment)
        if breeder is None:
            if self._terminal:
                others = (others[0], take_terminal, *others[2:])
            super()._execute_child(args, *others)  # type: ignore[misc]
            return
        asked = {
            "words": words,
            "folder": os.path.abspath(cwd or "."),
            "environment": dict(environment),
            "session": self._new_session,
            "terminal": self._terminal,
        }
        files = [given if given != -1 else place for place, given in enumerate((pipes[0], *pipes[3::2]))]
        self.pid = breeder.fork(json.dumps(asked).encode(), files)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def run(args: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Like subprocess.run(capture_output=True, text=True)."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    check, given = options.pop("check", False), options.pop("input", None)
    if given is not None:
        options["stdin"] = subprocess.PIPE
    with Forked(args, **options) as child:
        out, err = child.communicate(given)
    done = subprocess.CompletedProcess(args, child.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def program_of(args: Sequence[str]) -> list[str] | None:
    """What a fork shall run: `-m claimeven` or a file, with its arguments."""
    if isinstance(args, str) or args[0] != sys.executable or not sys.platform.startswith("linux"):
        return None
    words = [str(word) for word in args[1:]]
    return words if words[:2] == ["-m", "claimeven"] or words[0].endswith(".py") else None


def take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


_guard = threading.Lock()


class Breeder:
    """The process that has imported everything, seen from outside. It ends when this one does."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def fork(self, asked: bytes, files: Sequence[int]) -> int:
        """The number of a new process, a child of this one."""
        assert len(asked) < LARGEST
        for file in (sys.stdout, sys.stderr):
            file.flush()
        with _guard:  # for all: whose orphans are adopted is a matter of the process
            line = self._line or self._begin()
            adopt(True)
            try:
                socket.send_fds(line, [asked], list(files))
                return int(line.recv(64))
            finally:
                adopt(False)

    def _begin(self) -> socket.socket:
        self._line, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(other.fileno())],
            pass_fds=[other.fileno()],
            stdin=subprocess.DEVNULL,
            env=self._environment,
        )
        other.close()
        atexit.register(self.end)
        return self._line

    def end(self) -> None:
        if self._line is not None and self._process is not None:
            self._line.close()
            self._process.wait()


Seen = frozenset[tuple[str, str]]
_breeders: dict[Seen, Breeder] = {}
_once: set[Seen] = set()  # of which one was started: a second one pays for a breeder


def breeder_for(environment: Mapping[str, str]) -> Breeder | None:
    """None: a start is cheaper. Beside that for the environment of this process, one other is kept."""
    told, usual = at_a_start(environment), at_a_start(os.environ)
    if told not in _breeders:
        if told != usual and told not in _once:
            _once.add(told)
            return None
        for other in _breeders.keys() - {usual}:
            _breeders.pop(other).end()
        _breeders[told] = Breeder(environment)
    return _breeders[told]


def at_a_start(variables: Mapping[str, str]) -> Seen:
    """What of them is read at a start."""
    return frozenset(
        (name, value)
        for name, value in variables.items()
        if name.startswith(AT_A_START) and (name, value) != ("LANG", "C.UTF-8")
    )


def adopt(does: bool) -> None:
    """Whether those below whose parent ends become children of this process."""
    assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(does), 0, 0, 0) == 0


def breed(line: socket.socket) -> list[str]:
    """Fork whenever asked. Returns only in a fork: the command line that it shall be."""
    while True:
        asked, files, *_ = socket.recv_fds(line, LARGEST, 3)
        if not asked:
            os._exit(0)
        # One in between, which ends at once: the fork goes to whoever asked, who may wait for it then.
        reader, writer = os.pipe()
        between = os.fork()
        if between == 0:
            child = os.fork()
            if child == 0:
                for end in (line.detach(), reader, writer):
                    os.close(end)
                return become(json.loads(asked), files)
            os.write(writer, str(child).encode())
            os._exit(0)
        os.waitpid(between, 0)
        line.send(os.read(reader, 64))
        for end in (*files, reader, writer):
            os.close(end)


def become(wish: dict[str, Any], files: Sequence[int]) -> list[str]:
    """The process that was wished for."""
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    if wish["session"]:
        os.setsid()
    if wish["terminal"]:
        take_terminal()
    os.environ.clear()
    os.environ.update(wish["environment"])
    os.chdir(wish["folder"])
    now = "PYTHONUNBUFFERED" in os.environ
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = writing(1, os.isatty(1), now)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = writing(2, True, now, "backslashreplace")  # type: ignore[misc]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words: list[str] = wish["words"]
    return words


def writing(place: int, by_line: bool, now: bool, errors: str = "strict") -> Any:
    file = open(place, "w", encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
    file.reconfigure(line_buffering=by_line, write_through=now)
    return file


def import_everything() -> None:
    import claimeven

    for module in pkgutil.walk_packages(claimeven.__path__, "claimeven."):
        if not module.name.startswith(SELDOM) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in BESIDE:
        importlib.import_module(name)


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who asked
    sys.path[0] = str(Path(__file__).parents[1])
    import_everything()
    gc.collect()
    gc.freeze()
    words = breed(line)
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            sys.path[0] = os.getcwd()
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            sys.path[0] = str(Path(words[0]).parent)
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as error:
        if isinstance(error.code, int | None):
            end(error.code or 0)
        raise


def end(code: int) -> None:
    """As Python ends, but for taking apart all that was imported: that costs three times a start."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
