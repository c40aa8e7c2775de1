"""Facts, certificates, explanations, reviews: nothing is said here that is not proved."""

from claimeven.reasons.certificates import Certificate, certify
from claimeven.reasons.contrast import WhyNot, refutation
from claimeven.reasons.explanation import Explanation, explain
from claimeven.reasons.fact import Fact
from claimeven.reasons.facts import facts
from claimeven.reasons.reviews import Review, review
from claimeven.reasons.view import AgentView, ask_agent, view_of

__all__ = [
    "AgentView",
    "Certificate",
    "Explanation",
    "Fact",
    "Review",
    "WhyNot",
    "ask_agent",
    "certify",
    "explain",
    "facts",
    "refutation",
    "review",
    "view_of",
]
