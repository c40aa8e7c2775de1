"""Facts, certificates, explanations, reviews: nothing is said here that is not proved."""

from claimeven.reasons.advice import Advice, advise
from claimeven.reasons.certificates import Certificate, certify
from claimeven.reasons.contrast import WhyNot, refutation
from claimeven.reasons.explanation import Explanation, explain
from claimeven.reasons.fact import Fact
from claimeven.reasons.facts import facts
from claimeven.reasons.own import OwnTerms, Term, own_terms
from claimeven.reasons.reviews import Review, review
from claimeven.reasons.view import AgentView, ask_agent, view_of

__all__ = [
    "Advice",
    "AgentView",
    "Certificate",
    "Explanation",
    "Fact",
    "OwnTerms",
    "Review",
    "Term",
    "WhyNot",
    "advise",
    "ask_agent",
    "certify",
    "explain",
    "facts",
    "own_terms",
    "refutation",
    "review",
    "view_of",
]
