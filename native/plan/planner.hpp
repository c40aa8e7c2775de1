// The search for a plan. It plays everything and decides what answers x when a quiet x is first met: on top,
// or else an open cell; and again, what else is played after x, where nothing that was decided is open.
//
// An oracle (the solver) tells which positions keep the result: only such answers are considered, and a line
// that leaves them breaks the plan at once. It accuses the decisions made along it; the latest of these is
// changed, and all after it are forgotten (conflict-directed backjumping). After `budget` moves the search
// begins anew in another order, `tries` times in all. What it finds is played against everything once more by
// `Holder`, which knows no oracle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"
#include "plan/plan.hpp"

namespace claimeven {

template <class Shape, class Keeps>  // Keeps: whether the holder keeps the result, the opponent to move
class Planner {
  using Word = typename Shape::Word;
  static constexpr int kBits = sizeof(Word) * 8;
  static constexpr int kRandomFrom = 2;  // the first tries go from left to right and from right to left
  static constexpr int kOffTop = 8;      // of so many wishes one is left for later, in every other try
  enum class End { kKept, kBroken, kUndecided };

  struct Duty {  // a move that must be answered; the duties that are left form a list
    std::int32_t at, next;
    std::int16_t x;
  };
  struct Decision {  // one more answer to x
    std::int16_t x;
    std::int32_t duty, positions, duties;  // where to take up again, and how much was known
    Word options;                          // not tried yet
    Word blamed = 0;
    bool is_made = false;
  };

 public:
  Planner(const Shape& shape, bool draw_is_enough, Keeps keeps)
      : shape_(shape), draw_is_enough_(draw_is_enough), keeps_(keeps), holder_(shape, draw_is_enough) {
    known_.clear();
  }

  std::optional<Plan> find(const Stones<Shape>& start, std::uint64_t budget, int tries) {
    for (order_ = 0; order_ < tries; ++order_) {
      if (!is_found({start}, budget)) continue;
      Plan plan = decided();
      if (holder_.holds(start, plan, kEnoughMoves)) return plan;
    }
    return {};
  }

  // Whether answers are found that keep the result in every one of these positions, as near as can be to
  // those of the plan; `answers` has them.
  bool changes(const Plan& plan, const std::vector<Stones<Shape>>& starts, std::uint64_t budget, int tries) {
    wish_ = Answers<Word>(plan);
    for (order_ = 0; order_ < tries; ++order_) {
      if (is_found(starts, budget)) return true;
    }
    return false;
  }

  // What was decided about x, in the order in which it is tried; nothing where x never was a question.
  const std::vector<std::int16_t>& answers(int x) const { return answers_[x]; }

 private:
  bool is_found(const std::vector<Stones<Shape>>& starts, std::uint64_t budget) {
    random_ = Random(static_cast<std::uint64_t>(order_));
    positions_.clear();
    duties_.clear();
    decisions_.clear();
    for (auto& answers : answers_) answers.clear();
    waiting_ = -1;
    for (const auto& start : starts) add(start.mine, start.mask, 0);
    while (waiting_ >= 0) {
      if (!budget--) return false;
      const std::int32_t at = waiting_;
      const Duty duty = duties_[at];
      waiting_ = duty.next;
      const End end = answer(duty);
      if (end == End::kUndecided) {
        if (!decide(duty, at)) return false;
      } else if (end == End::kBroken && !mend(blamed_)) {
        return false;
      }
    }
    return true;
  }

  // One move of the opponent and its answer.
  End answer(const Duty& duty) {
    const Word x = Word{1} << duty.x;
    const Word theirs = positions_[duty.at].theirs | x, mask = positions_[duty.at].mask | x;
    blamed_ = positions_[duty.at].kept;
    const auto [urgency, stop] = claimeven::urgency(shape_, theirs, mask);
    if (urgency == Urgency::kWon) return End::kKept;
    if (urgency == Urgency::kLost) return End::kBroken;
    if (urgency == Urgency::kFull) return draw_is_enough_ ? End::kKept : End::kBroken;
    Word reply = stop;
    if (!reply) {
      reply = given(duty.x, landing_cells(shape_, mask));
      if (!reply) return End::kUndecided;
      blamed_ |= x;
    }
    if ((mask | reply) == shape_.full) return draw_is_enough_ ? End::kKept : End::kBroken;
    if (!keeps(theirs, mask | reply)) return End::kBroken;
    add(theirs, mask | reply, blamed_);
    return End::kKept;
  }

  // The oracle is asked once about each position.
  bool keeps(Word theirs, Word mask) {
    if (const auto* known = known_.find(theirs, mask)) return known->kept;
    const bool kept = keeps_(theirs, mask);
    known_.add({theirs, mask, kept});
    return kept;
  }

  Word given(int x, Word open) const {
    for (const int y : answers_[x]) {
      if (const Word cell = Word{1} << y & open) return cell;
    }
    return 0;
  }

  // Remembers a position, and that all its moves must be answered; one that is known is left alone.
  void add(Word theirs, Word mask, Word blamed) {
    const auto place = static_cast<std::int32_t>(positions_.size());
    if (!positions_.add({theirs, mask, blamed})) return;
    int cells[kMaxColumns], count = 0;
    for (Word open = landing_cells(shape_, mask); open; open &= open - 1) cells[count++] = lowest_index(open);
    if (order_ == 1) std::reverse(cells, cells + count);
    for (int i = count; order_ >= kRandomFrom && i > 1; --i) std::swap(cells[i - 1], cells[random_.below(i)]);
    for (int i = 0; i < count; ++i) {
      duties_.push_back({place, waiting_, static_cast<std::int16_t>(cells[i])});
      waiting_ = static_cast<std::int32_t>(duties_.size()) - 1;
    }
  }

  // False when nothing keeps the result, whatever is changed.
  bool decide(const Duty& duty, std::int32_t at) {
    const Word x = Word{1} << duty.x;
    const Word theirs = positions_[duty.at].theirs | x, mask = positions_[duty.at].mask | x;
    Word options = 0;
    for (Word open = landing_cells(shape_, mask); open; open &= open - 1) {
      const Word after = mask | lowest_bit(open);
      if (after == shape_.full ? draw_is_enough_ : keeps(theirs, after)) options |= lowest_bit(open);
    }
    decisions_.push_back({duty.x, at, static_cast<std::int32_t>(positions_.size()),
                          static_cast<std::int32_t>(duties_.size()), options});
    return next_option() || mend(positions_[duty.at].kept | x);
  }

  // Takes the next answer of the last decision; false when there is none left.
  bool next_option() {
    Decision& last = decisions_.back();
    if (!last.options) return false;
    const Word cell = option(last.options, last.x);
    last.options &= ~cell;
    if (last.is_made) answers_[last.x].pop_back();
    last.is_made = true;
    answers_[last.x].push_back(static_cast<std::int16_t>(lowest_index(cell)));
    waiting_ = last.duty;
    return true;
  }

  Word option(Word options, int x) {
    const bool is_off = order_ > kRandomFrom && order_ % 2 && !random_.below(kOffTop);
    const Word wished = wish_.reply(x, options);
    if (wished && !is_off) return wished;
    int skip = order_ == 0 ? 0 : popcount(options) - 1;
    if (order_ >= kRandomFrom) skip = static_cast<int>(random_.below(static_cast<std::uint32_t>(skip) + 1));
    while (skip--) options &= options - 1;
    return lowest_bit(options);
  }

  // Changes the last of the decisions that are blamed; false when none can be changed.
  bool mend(Word blamed) {
    while (!decisions_.empty()) {
      Decision& last = decisions_.back();
      const Word x = Word{1} << last.x;
      while (static_cast<std::int32_t>(positions_.size()) > last.positions) positions_.forget_last();
      duties_.resize(last.duties);
      if (blamed & x) {
        last.blamed |= blamed & ~x;
        if (next_option()) return true;
        // That this answer was asked for is the fault of the earlier ones, which could not be played.
        blamed = last.blamed | positions_[duties_[last.duty].at].kept;
        if (answers_[last.x].size() > (last.is_made ? 1u : 0u)) blamed |= x;
      }
      if (last.is_made) answers_[last.x].pop_back();
      decisions_.pop_back();
    }
    return false;
  }

  // On top is what is played anyway, and what comes after it is never played.
  Plan decided() const {
    Plan plan;
    for (int x = 0; x < kBits; ++x) {
      for (const int y : answers_[x]) {
        if (y == x + 1) break;
        plan.exceptions.emplace_back(x, y);
      }
    }
    return plan;
  }

  Shape shape_;
  bool draw_is_enough_;
  Keeps keeps_;
  Holder<Shape> holder_;
  int order_ = 0;
  Random random_{0};
  Answers<Word> wish_{Plan{}};  // what is tried first: on top, unless another plan is to be changed
  std::vector<std::int16_t> answers_[kBits];
  Positions<Shape, Word> positions_;  // each with the x whose answers led there
  Positions<Shape, bool> known_;      // what the oracle has said
  std::vector<Duty> duties_;
  std::vector<Decision> decisions_;
  std::int32_t waiting_ = -1;
  Word blamed_ = 0;
};

}  // namespace claimeven
