// One plan for more positions: changed as little as it takes.
//
// The planner looks for answers that keep the result in the new position, those of the plan first; what
// differs becomes exceptions. Where that breaks the plan in a position that it held in, the planner must mind
// that one, too, and looks again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "plan/plan.hpp"
#include "plan/planner.hpp"

namespace claimeven {

template <class Shape, class Keeps>
class Joiner {
  using Word = typename Shape::Word;
  using Starts = std::vector<Stones<Shape>>;
  static constexpr int kBits = sizeof(Word) * 8;
  static constexpr int kRounds = 4;

 public:
  Joiner(const Shape& shape, bool draw_is_enough, Keeps keeps)
      : planner_(shape, draw_is_enough, keeps), holder_(shape, draw_is_enough) {}

  // Nothing when no such plan is found, or none of at most `most` rules.
  std::optional<Plan> joined(const Plan& plan, const Starts& members, const Stones<Shape>& newcomer,
                             std::size_t most, std::uint64_t budget, int tries) {
    Starts minded{newcomer};
    for (int round = 0; round < kRounds; ++round) {
      if (!planner_.changes(plan, minded, budget, tries)) return {};
      Plan changed = with_answers(plan);
      if (failing(minded, changed)) return {};
      undo_needless(changed, plan, minded);
      if (changed.size() > most) return {};
      const auto* broken = failing(members, changed);
      if (!broken) return changed;
      minded.push_back(*broken);
    }
    return {};
  }

 private:
  const Stones<Shape>* failing(const Starts& starts, const Plan& plan) {
    const Answers<Word> answers(plan);
    for (const auto& start : starts) {
      if (!holder_.holds(start, answers, kEnoughMoves)) return &start;
    }
    return nullptr;
  }

  static Exceptions of(const Plan& plan, int x) {
    Exceptions found;
    for (const auto& pair : plan.exceptions) {
      if (pair.first == x) found.push_back(pair);
    }
    return found;
  }

  static Plan with(const Plan& plan, int x, const Exceptions& exceptions) {
    Plan found{plan.urgent, {}, plan.spare};
    const auto& old = plan.exceptions;
    for (const auto& pair : old) {
      if (pair.first < x) found.exceptions.push_back(pair);
    }
    found.exceptions.insert(found.exceptions.end(), exceptions.begin(), exceptions.end());
    for (const auto& pair : old) {
      if (pair.first > x) found.exceptions.push_back(pair);
    }
    return found;
  }

  static bool has(const std::vector<int>& cells, int cell) {
    return std::find(cells.begin(), cells.end(), cell) != cells.end();
  }

  // The plan with what was decided about every x that was a question.
  Plan with_answers(Plan plan) const {
    for (int x = 0; x < kBits; ++x) {
      const auto& answers = planner_.answers(x);
      if (answers.empty()) continue;
      Exceptions exceptions;
      bool is_on_top = false;
      for (const int y : answers) {
        is_on_top = y == x + 1;
        if (is_on_top) break;
        if (!has(plan.urgent, y)) exceptions.emplace_back(x, y);
      }
      if (!is_on_top) {  // others come after these
        for (const auto& pair : of(plan, x)) {
          if (std::find(exceptions.begin(), exceptions.end(), pair) == exceptions.end()) {
            exceptions.push_back(pair);
          }
        }
      }
      plan = with(plan, x, exceptions);
    }
    return plan;
  }

  // Takes back what these positions do not ask for.
  void undo_needless(Plan& changed, const Plan& plan, const Starts& starts) {
    for (int x = 0; x < kBits; ++x) {
      if (of(changed, x) == of(plan, x)) continue;
      Plan less = with(changed, x, of(plan, x));
      if (!failing(starts, less)) changed = std::move(less);
    }
    for (std::size_t i = 0; i < changed.exceptions.size();) {
      const auto& old = plan.exceptions;
      if (std::find(old.begin(), old.end(), changed.exceptions[i]) == old.end()) {
        Plan less = changed;
        less.exceptions.erase(less.exceptions.begin() + static_cast<std::ptrdiff_t>(i));
        if (!failing(starts, less)) {
          changed = std::move(less);
          continue;
        }
      }
      ++i;
    }
  }

  Planner<Shape, Keeps> planner_;
  Holder<Shape> holder_;
};

}  // namespace claimeven
