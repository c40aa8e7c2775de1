// What is known of a score, and what to ask next.
#pragma once

namespace claimeven {

// No score is as far from 0: a bound that says nothing.
inline constexpr int kNoBound = 127;

// What is proved of a score; exact when both are equal.
struct Bounds {
  int lower, upper;
  bool is_exact() const { return lower == upper; }
  Bounds operator-() const { return {-upper, -lower}; }
};

enum class Goal { kScore, kOutcome };

// Quick wins and losses are cheap to ask for, and what they leave in the table orders the moves of the
// deeper questions: so first the far ends; then win, draw or loss; then step by step away from the draw.
inline int next_window(const Bounds& bounds, Goal goal) {
  const auto [lower, upper] = bounds;
  constexpr int kFarEnd = 5, kFewSteps = 8;
  if (goal == Goal::kOutcome) return upper > 0 ? 0 : -1;
  if (upper > 0 && lower <= 0) {
    if (upper > kFarEnd) return upper / 2;
    if (lower < -kFarEnd) return lower / 2;
    return 0;
  }
  if (lower < 0 && upper == 0) return lower < -kFarEnd ? lower / 2 : -1;
  if (upper - lower > kFewSteps) return lower + (upper - lower) / 2;
  return lower > 0 ? lower : upper - 1;
}

}  // namespace claimeven
