"""Facts, certificates, explanations, reviews: nothing is said here that is not proved."""

from claimeven.reasons.certificates import Certificate, certify
from claimeven.reasons.explanation import Explanation, WhyNot, explain
from claimeven.reasons.fact import Fact
from claimeven.reasons.facts import facts

__all__ = ["Certificate", "Explanation", "Fact", "WhyNot", "certify", "explain", "facts"]
