"""serve: the play server and its page."""

import json
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.usage import agent_names
from claimeven.errors import InputError

if TYPE_CHECKING:  # to load it takes time, and most commands do without
    import asyncio

HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        envvar="CLAIMEVEN_HOST",
        metavar="ADDRESS",
        help="Where to listen; 0.0.0.0 for other machines.",
    ),
]
PortOption = Annotated[
    int,
    typer.Option(
        "--port",
        envvar="CLAIMEVEN_PORT",
        metavar="N",
        help="Of the page and the API; 0: a free one.",
        min=0,
        max=65535,
    ),
]
TcpPortOption = Annotated[
    int | None,
    typer.Option(
        "--tcp-port",
        envvar="CLAIMEVEN_TCP_PORT",
        metavar="N",
        help="Of the text door, by default 12345; 0: closed.",
        min=0,
        max=65535,
    ),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="CLAIMEVEN_DATABASE",
        metavar="URL",
        help="sqlite:///FILE or postgresql://…; by default a file of yours.",
    ),
]
NatsOption = Annotated[
    str | None,
    typer.Option(
        "--nats",
        envvar="CLAIMEVEN_NATS",
        metavar="URL",
        help="Be one of several servers on a PostgreSQL, joined by NATS.",
    ),
]
AgentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        envvar="CLAIMEVEN_AGENT",
        metavar="SPEC",
        help="Offer this agent too; may be given several times.",
        autocompletion=agent_names,
    ),
]
LegacyOption = Annotated[
    str,
    typer.Option(
        "--legacy-agent",
        envvar="CLAIMEVEN_LEGACY_AGENT",
        metavar="SPEC",
        help="Who answers at /api/connect4-move.",
    ),
]
OriginOption = Annotated[
    list[str] | None,
    typer.Option(
        "--origin",
        envvar="CLAIMEVEN_ORIGIN",
        metavar="URL",
        help="A public name of this server, like https://c4.example; may be given several times.",
    ),
]
ProxyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--proxy",
        envvar="CLAIMEVEN_PROXY",
        metavar="ADDRESS",
        help="Believe X-Forwarded-For from here; may be given several times.",
    ),
]
BansOption = Annotated[
    Path | None,
    typer.Option(
        "--bans",
        envvar="CLAIMEVEN_BANS",
        metavar="FILE",
        help="Addresses and networks that are not let in, one on each line; may change.",
    ),
]
# No variable: it is another errand, and a server that found it in its environment would never serve.
BackupOption = Annotated[
    Path | None,
    typer.Option(
        "--backup", metavar="FILE", help="Only copy the SQLite database there, while it is used or not."
    ),
]
LogOption = Annotated[
    str,
    typer.Option(
        "--log", envvar="CLAIMEVEN_LOG", metavar="LEVEL", help="What to log: debug, info, warning or error."
    ),
]


WorkNatsOption = Annotated[
    str, typer.Option("--nats", envvar="CLAIMEVEN_NATS", metavar="URL", help="Where the servers are heard.")
]
MetricsOption = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        envvar="CLAIMEVEN_METRICS",
        metavar="[ADDRESS:]PORT",
        help="Where Prometheus finds its numbers, at /metrics; without an address on this machine only.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Agents that think at once; by default one for each core.",
        min=1,
        max=64,
    ),
]


def log_level(text: str) -> str:
    if text not in ("debug", "info", "warning", "error"):
        raise InputError("option.log")
    return text


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8080,
    tcp_port: TcpPortOption = None,
    database: DatabaseOption = None,
    nats: NatsOption = None,
    agent: AgentsOption = None,
    legacy_agent: LegacyOption = "perfect",
    origin: OriginOption = None,
    proxy: ProxyOption = None,
    bans: BansOption = None,
    backup: BackupOption = None,
    log: LogOption = "info",
) -> None:
    """Serve the page, and games between people and agents."""
    from claimeven.server import logs
    from claimeven.server.app import Options
    from claimeven.server.doors.bans import Bans
    from claimeven.server.doors.limits import Limits
    from claimeven.server.doors.operators.key import KEY_VARIABLE, check_key
    from claimeven.server.doors.tcp import DEFAULT_PORT as TEXT_PORT
    from claimeven.server.environment import adjusted
    from claimeven.server.run import Ports, is_free
    from claimeven.server.run import serve as run
    from claimeven.server.settings import Settings
    from claimeven.server.storage.backup import backup as copy

    log_level(log)
    url = database or default_database()
    if backup is not None:
        copy(url, backup)
        print(f"{backup}: {backup.stat().st_size} bytes")
        return

    def started(address: str, text_port: int | None) -> None:
        print(f"claimeven serves {address}", flush=True)
        if text_port is not None:
            print(f"text play on TCP port {text_port}", flush=True)
        who = f"with the key of {KEY_VARIABLE}" if key else "for this machine only"
        print(f"who is connected: {address}/status ({who})", flush=True)

    key = check_key(os.environ.get(KEY_VARIABLE))
    if tcp_port is None:  # two servers on one machine are no error
        tcp_port = TEXT_PORT if is_free(TEXT_PORT, host) else 0
    logs.set_up(log)
    options = Options(
        url,
        agent or (),
        origin or (),
        adjusted(Settings(), os.environ),
        adjusted(Limits(bans=Bans(bans)), os.environ),
        legacy_agent=legacy_agent,
        operator_key=key,
        nats=nats,
    )
    run(options, Ports(host, port, tcp_port or None, tuple(proxy or ())), started)


def work(
    nats: WorkNatsOption = "nats://127.0.0.1:4222",
    threads: ThreadsOption = None,
    metrics: MetricsOption = None,
    log: LogOption = "info",
) -> None:
    """Think for the servers of a cluster: agents' moves, analyses, reviews."""
    from claimeven.server import logs
    from claimeven.server.cluster.bus import check_address
    from claimeven.server.work.metrics import place_of, serve
    from claimeven.server.work.worker import Worker, run

    logs.set_up(log_level(log))
    check_address(nats)
    place = None if metrics is None else place_of(metrics)

    async def tell(worker: Worker) -> "asyncio.Server":
        assert place is not None
        return await serve(worker, *place)

    def started(count: int) -> None:
        print(f"claimeven works for {nats}, {count} agents at once", flush=True)

    run(nats, threads, started, None if place is None else tell)


def open_app(
    wish: dict[str, object] | None = None, agents: Sequence[str] = (), for_network: bool = False
) -> None:
    """Serve here, for the network too if asked, and open the browser, at a new game if one is wished for."""
    from claimeven.server import logs
    from claimeven.server.app import Options
    from claimeven.server.doors.limits import Limits
    from claimeven.server.environment import adjusted
    from claimeven.server.run import DEFAULT_PORT, Ports, is_free
    from claimeven.server.run import serve as run
    from claimeven.server.settings import Settings
    from claimeven.server.storage.hold import DatabaseInUseError

    host = "0.0.0.0" if for_network else "127.0.0.1"

    def started(address: str, _: int | None) -> None:
        print(f"claimeven is at {address} (Ctrl-C ends it)", flush=True)
        if for_network:
            print("friends in your network join by the link or the code that the page shows", flush=True)
        # Not here: the server cannot answer before this function is left.
        threading.Thread(target=_browse, args=(address, wish), daemon=True).start()

    logs.set_up("warning")
    port = DEFAULT_PORT if is_free(DEFAULT_PORT, host) else 0
    options = Options(
        default_database(),
        agents,
        settings=adjusted(Settings(), os.environ),
        limits=adjusted(Limits(), os.environ),
    )
    try:
        run(options, Ports(host, port), started)
    except DatabaseInUseError as running:
        print(f"claimeven is at {running.address} already", flush=True)
        _browse(running.address, wish)


def _browse(address: str, wish: dict[str, object] | None) -> None:
    """Open the page; a game that is wished for is begun, and the page sits down at it by the invitation."""
    import urllib.request
    import webbrowser

    if wish is not None:
        request = urllib.request.Request(
            f"{address}/api/games", json.dumps(wish).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                made = json.load(answer)
        except OSError as error:
            print(f"claimeven: the game could not be begun: {error}", file=sys.stderr)
        else:
            address += f"/game/{made['game']}" + (f"#invite={made['invite']}" if made["invite"] else "")
            print(f"the game is at {address}", flush=True)
    webbrowser.open(address)


def default_database() -> str:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return f"sqlite:///{Path(state) / 'claimeven' / 'games.db'}"
