"""Facts, certificates, explanations, reviews: nothing is said here that is not proved."""

from claimeven.reasons.hinted.advice import Advice, advise, swap_hint
from claimeven.reasons.planned.certificates import Certificate, certify
from claimeven.reasons.reviewed.met import Met, met
from claimeven.reasons.reviewed.reviews import Review, review
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.seen.move import facts
from claimeven.reasons.told.agent_view import AgentView, ask_agent, view_of
from claimeven.reasons.told.contrast import WhyNot, refutation
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.reasons.told.own import OwnTerms, Term, own_terms

__all__ = [
    "Advice",
    "AgentView",
    "Certificate",
    "Explanation",
    "Fact",
    "Met",
    "OwnTerms",
    "Review",
    "Term",
    "WhyNot",
    "advise",
    "ask_agent",
    "certify",
    "explain",
    "facts",
    "met",
    "own_terms",
    "refutation",
    "review",
    "swap_hint",
    "view_of",
]
