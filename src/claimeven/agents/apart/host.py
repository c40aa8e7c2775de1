"""The program in which an isolated agent lives (isolated.py): questions in, answers out, as lines of JSON.

Whatever the agent prints goes to the standard error: the standard output is for answers.
"""

import json
import os
import sys
from typing import TextIO

from claimeven.agents.agent import Agent, AgentError, chosen_column
from claimeven.agents.apart.talk import Answered, Failed, Introduced, Question
from claimeven.agents.choice import Choice
from claimeven.agents.registry import make_agent
from claimeven.limit import Limit
from claimeven.position import Board, Position


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    agent: Agent | None = None
    for line in sys.stdin:
        try:
            question = json.loads(line)
            if agent is None:
                agent = make_agent(question["spec"], question["seed"])
                _say(answers, {"name": agent.name})
            else:
                _say(answers, _choose(agent, question))
        except (Exception, SystemExit) as error:  # an agent is anyone's code
            ending = error.ending if isinstance(error, AgentError) else AgentError.ending
            told = str(error) if isinstance(error, AgentError) else f"{type(error).__name__}: {error}"
            _say(answers, {"error": told[:2000], "ending": ending})


def _choose(agent: Agent, question: Question) -> Answered:
    position = Position.parse(question["position"], Board.parse(question["board"]))
    limit = Limit(question["seconds"], question["nodes"], question["depth"])
    choice = agent.choose(position, limit)
    column = chosen_column(choice, position)
    if not isinstance(choice, Choice):  # anyone's code may answer with just a number
        return {"column": column, "outlooks": []}
    known = ((c, choice.outlook(c)) for c in position.legal)
    return {"column": column, "outlooks": [(c, outlook) for c, outlook in known if outlook is not None]}


def _say(answers: TextIO, answer: Introduced | Answered | Failed) -> None:
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
