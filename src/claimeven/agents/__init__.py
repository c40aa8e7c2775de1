"""Players: one position in, one choice out."""

from claimeven.agents.agent import (
    Agent,
    AgentError,
    AgentNonsenseError,
    AgentTimeoutError,
    chosen_column,
    close,
)
from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.agents.kind import Kind
from claimeven.agents.pie import choose_in_pie
from claimeven.agents.registry import agent_names, find_kind, make_agent

__all__ = [
    "Agent",
    "AgentError",
    "AgentNonsenseError",
    "AgentTimeoutError",
    "Choice",
    "Effort",
    "Kind",
    "Opinion",
    "agent_names",
    "choose_in_pie",
    "chosen_column",
    "close",
    "find_kind",
    "make_agent",
]
