"""serve: the play server and its page."""

import os
from pathlib import Path
from typing import Annotated

import typer

HostOption = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; 0.0.0.0 for other machines.")
]
PortOption = Annotated[
    int,
    typer.Option(
        "--port", metavar="N", help="Of the page and the API; 0 takes a free one.", min=0, max=65535
    ),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://…; by default a file of yours."
    ),
]
AgentsOption = Annotated[
    list[str] | None,
    typer.Option("--agent", metavar="SPEC", help="Offer this agent too; may be given several times."),
]
OriginOption = Annotated[
    list[str] | None,
    typer.Option(
        "--origin",
        metavar="URL",
        help="A name of this server, or another page that may play here, like https://c4.example.",
    ),
]


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8080,
    database: DatabaseOption = None,
    agent: AgentsOption = None,
    origin: OriginOption = None,
) -> None:
    """Serve the page, and games between people and agents."""
    from claimeven.server.app import Options
    from claimeven.server.run import Ports
    from claimeven.server.run import serve as run

    options = Options(database or default_database(), agents=agent or (), origins=origin or ())
    run(options, Ports(host, port), lambda address: print(f"claimeven serves {address}", flush=True))


def open_app(board: str | None = None) -> None:
    """Serve on this machine and open the browser."""
    import threading
    import webbrowser

    from claimeven.server.app import Options
    from claimeven.server.run import DEFAULT_PORT, Ports, is_free
    from claimeven.server.run import serve as run

    def started(address: str) -> None:
        print(f"claimeven is at {address} (Ctrl-C ends it)", flush=True)
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    port = DEFAULT_PORT if is_free(DEFAULT_PORT) else 0
    run(Options(default_database()), Ports(port=port), started)


def default_database() -> str:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return f"sqlite:///{Path(state) / 'claimeven' / 'games.db'}"


__all__ = ["open_app", "serve"]
