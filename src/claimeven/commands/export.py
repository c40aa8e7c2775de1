"""export: agents and the page for other places."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from claimeven.commands.asked.usage import Command, agent_names, group
from claimeven.errors import InputError

SpecArgument = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The agent: perfect, level:N, minimax… or mcts….",
        show_default=False,
        autocompletion=agent_names,
    ),
]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.", show_default=False)
]
PureOption = Annotated[bool, typer.Option("--pure", help="Python only: no native engine inside.")]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Then play it in a clean Python, and compare it with the agent.")
]

FolderArgument = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.", show_default=False)
]
RuntimeOption = Annotated[
    Path,
    typer.Option("--runtime", metavar="FOLDER", help="Pyodide and msgspec, as make static fetches them."),
]

NetworkArgument = Annotated[
    str,
    typer.Argument(metavar="NETWORK", help="best, tiny, zero, or the file of a network.", show_default=False),
]

app = group("Write an agent, or the page, for other places.")


@app.callback()
def export() -> None:
    """Write an agent, or the page, for other places."""


@app.command(cls=Command)
def site(folder: FolderArgument, runtime: RuntimeOption = Path("build/runtime")) -> None:
    """Write the page as static files: for any web host, with nothing behind it.

    Everything but games with friends by link works there, and offline after the first visit.
    """
    from claimeven.browser.site import export_site

    size = export_site(folder, runtime)
    print(f"{folder}: the laboratory in {size / 1e6:.1f} MB of static files")


@app.command(cls=Command)
def kaggle(spec: SpecArgument, out: OutOption, pure: PureOption = False, check: CheckOption = False) -> None:
    """Write a submission for Kaggle's ConnectX: one file with everything in it.

    It plays on any board, within Kaggle's limits of time; perfect is exact on 7x6. When --check finds that it
    is unfit, the exit code is 1.
    """
    from claimeven.export import submission

    text = submission(spec, pure=pure)
    out.write_text(text, encoding="utf-8")
    print(f"{out}: {spec} in {len(text.encode())} bytes", flush=True)
    if check:
        _check(out, spec, pure)


@app.command(cls=Command)
def onnx(network: NetworkArgument, out: OutOption) -> None:
    """Write a network as ONNX, which other programs evaluate: stones in, wishes and chances out.

    docs/neural.md says how its input and its outputs are laid out.
    """
    from claimeven.agents.kinds.network import SHIPPED, read_network, shipped_path

    path = shipped_path(network) if network in SHIPPED else Path(network)
    if not path.is_file():
        raise InputError("network.absent", path=path)
    if find_spec("torch") is None:
        raise InputError("needs.torch")
    if find_spec("onnx") is None:
        raise InputError("needs.onnx")
    from claimeven.neural.onnx import write_onnx

    write_onnx(read_network(path), out)
    print(f"{out}: {network} in {out.stat().st_size / 1e6:.1f} MB")


def _check(out: Path, spec: str, pure: bool) -> None:
    from claimeven.export.check import UnfitError, check

    try:
        for sentence in check(out, spec, pure=pure):
            print(sentence, flush=True)
    except UnfitError as error:
        print(f"claimeven: {out} is not fit to be sent: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    print(f"{out} is fit to be sent")
