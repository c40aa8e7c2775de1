"""Players: one position in, one choice out."""

from claimeven.agents.agent import (
    Agent,
    AgentError,
    AgentNonsenseError,
    AgentTimeoutError,
    Choice,
    close,
)
from claimeven.agents.registry import Kind, agent_names, find_kind, make_agent

__all__ = [
    "Agent",
    "AgentError",
    "AgentNonsenseError",
    "AgentTimeoutError",
    "Choice",
    "Kind",
    "agent_names",
    "close",
    "find_kind",
    "make_agent",
]
