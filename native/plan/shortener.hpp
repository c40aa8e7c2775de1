// A plan in fewer words: without what is not needed, and with one rule for several where it serves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "plan/plan.hpp"

namespace claimeven {

template <class Shape>
class Shortener {
  static constexpr int kBits = sizeof(typename Shape::Word) * 8;

 public:
  // The plan must go on holding in all these positions.
  Shortener(const Shape& shape, bool draw_is_enough, std::vector<Stones<Shape>> starts)
      : holder_(shape, draw_is_enough), starts_(std::move(starts)) {}

  // A plan that does not hold comes back as it is.
  Plan shortened(Plan plan) {
    for (const auto& start : starts_) {
      if (!holder_.holds(start, plan, kEnoughMoves)) return plan;
      budget_ = std::max(budget_, 20 * holder_.moves() + 1000);
    }
    plan = without_idle(std::move(plan));
    while (has_merged(plan)) {
    }
    return plan;
  }

 private:
  // The position in which it last failed is asked first.
  bool still_holds(const Plan& plan) {
    const Answers<typename Shape::Word> answers(plan);
    for (auto start = starts_.begin(); start != starts_.end(); ++start) {
      if (holder_.holds(*start, answers, budget_)) continue;
      std::iter_swap(starts_.begin(), start);
      return false;
    }
    return true;
  }

  template <class Rules>
  void drop_idle(Plan& plan, Rules Plan::* rules) {
    for (std::size_t i = 0; i < (plan.*rules).size();) {
      Plan fewer = plan;
      (fewer.*rules).erase((fewer.*rules).begin() + static_cast<std::ptrdiff_t>(i));
      if (still_holds(fewer)) {
        plan = std::move(fewer);
      } else {
        ++i;
      }
    }
  }

  Plan without_idle(Plan plan) {
    drop_idle(plan, &Plan::spare);
    drop_idle(plan, &Plan::urgent);
    drop_idle(plan, &Plan::exceptions);
    return plan;
  }

  // Whether a cell that answers several x may be urgent, or spare, and the plan gets shorter by it.
  bool has_merged(Plan& plan) {
    int often[kBits] = {};
    for (const auto& [x, y] : plan.exceptions) ++often[y];
    for (int y = 0; y < kBits; ++y) {
      if (often[y] < 2) continue;
      for (const auto rules : {&Plan::urgent, &Plan::spare}) {
        for (std::size_t at = 0; at <= (plan.*rules).size(); ++at) {
          Plan merged = plan;
          (merged.*rules).insert((merged.*rules).begin() + static_cast<std::ptrdiff_t>(at), y);
          if (!still_holds(merged)) {  // it may yet when nothing else leads to y
            std::erase_if(merged.exceptions, [y](const auto& pair) { return pair.second == y; });
            if (!still_holds(merged)) continue;
          }
          merged = without_idle(std::move(merged));
          if (merged.size() >= plan.size()) continue;
          plan = std::move(merged);
          return true;
        }
      }
    }
    return false;
  }

  Holder<Shape> holder_;
  std::vector<Stones<Shape>> starts_;
  std::uint64_t budget_ = 0;
};

}  // namespace claimeven
