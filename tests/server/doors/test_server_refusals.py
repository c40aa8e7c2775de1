"""What the server refuses is named by a sentence of refusals.json, with all that the sentence names."""

import ast
import json
import re
from collections.abc import Iterator

from kit.places import ROOT
from kit.sources.syntax import parsed

SOURCE = ROOT / "src" / "claimeven"
KINDS = {"RefusedError", "NoOperatorError"}
SENTENCES: dict[str, str] = json.loads((SOURCE / "server" / "refusals.json").read_text())


def raised() -> Iterator[tuple[str, str, set[str]]]:
    """Place, name and parameters of every refusal in the sources."""
    for path in [*SOURCE.glob("server/**/*.py"), *SOURCE.glob("client/*.py")]:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in KINDS:
                place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                params = {word.arg for word in node.keywords if word.arg is not None}
                for name in ast.walk(node.args[0]):
                    if isinstance(name, ast.Constant):
                        yield place, str(name.value), params


def test_every_refusal_has_its_sentence() -> None:
    sites = list(raised())
    assert len(sites) > 60
    for place, name, params in sites:
        assert name in SENTENCES, place
        assert params == set(re.findall(r"{(\w+)}", SENTENCES[name])), place


def retold() -> Iterator[tuple[str, str]]:
    """Place and sentence of every refusal that is told with the sentence of somebody else."""
    for path in SOURCE.glob("**/*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "RefusedError.told":
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", ast.unparse(node.args[1])


def test_bad_input_keeps_its_code() -> None:
    """A sentence alone cannot be told in another language: `because` keeps what it names."""
    sites = dict(retold())
    assert len(sites) > 3
    assert not [place for place, sentence in sites.items() if sentence.startswith("str(")]


def test_every_sentence_is_used() -> None:
    final = {"not_your_seat.token"}  # by the number with which a connection was closed
    assert {name for _, name, _ in raised()} | final == SENTENCES.keys()
