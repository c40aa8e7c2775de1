"""Runs a Kaggle submission: `python submission.py FILE [SEED]`, questions and answers as lines of JSON.

With a seed, a submission that draws lots by the module `random` always draws the same.

This file is executed on its own, in the process of the submission: it imports nothing of claimeven.
"""

import json
import operator
import os
import random
import sys
from typing import Any


class Struct(dict[str, Any]):
    """Kaggle's observation and configuration: `obs.board` and `obs["board"]` are the same."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__


def load(path: str) -> Any:
    """The agent of a file is its last callable, whatever its name; `__file__` is not defined."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    namespace: dict[str, Any] = {}
    exec(compile(source, path, "exec"), namespace)
    functions = [value for value in namespace.values() if callable(value)]
    if not functions:
        raise ValueError("the file defines no agent")
    return functions[-1]


def call(agent: Any, *arguments: Any) -> Any:
    """Kaggle passes as many arguments as the function takes."""
    code = getattr(agent, "__code__", None)
    return agent(*arguments[: code.co_argcount] if code is not None else arguments)


def main(path: str, seed: int | None = None) -> None:
    # What the submission prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    agent = None
    if seed is not None:
        random.seed(seed)
    for line in sys.stdin:
        question = json.loads(line)
        configuration = Struct(question["configuration"], __raw_path__=path)
        try:
            agent = agent or load(path)
            answer = call(agent, Struct(question["observation"]), configuration)
        except Exception as error:
            reply: dict[str, str | int] = {"error": f"{type(error).__name__}: {error}"[:1000]}
        else:
            try:
                reply = {"column": operator.index(answer)}
            except TypeError:
                reply = {"column": repr(answer)[:1000]}
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
