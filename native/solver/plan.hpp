// Plans: how the side that has just moved (the *holder*) answers everything, told in a few words.
//
// A plan is a list of exceptions x -> y to one rule. After a stone of the opponent on x, the holder
//   1. completes a line, if it can;
//   2. else stops the line that the opponent threatens to complete;
//   3. else plays y, if x -> y is an exception and y can be played;
//   4. else plays on top of x.
// A plan *holds* when no reply breaks it: the opponent never completes a line, the holder never is without an
// answer, and (unless a draw is enough) the board never fills. `holds` plays it against everything; it knows
// no theorem. The plans of theorem T4 (pairing.hpp) are of this kind: their exceptions are the matched
// singles.
//
// `find` looks for the exceptions. It plays everything, too, and decides what answers x when a quiet x is
// first met: on top, or else any open cell. A line that breaks the plan accuses the decisions made along it;
// the latest of these is changed, all after it are forgotten (conflict-directed backjumping).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

using Exceptions = std::vector<std::pair<int, int>>;  // cells by their bits, the smallest x first

template <class Shape>
class Planner {
  using Word = typename Shape::Word;
  static constexpr int kBits = sizeof(Word) * 8;
  static constexpr std::int16_t kUndecided = -2, kOnTop = -1;
  enum class End { kKept, kBroken, kUndecided, kGoesOn };

  struct Node {  // the opponent is to move
    Word theirs, mask;
    Word blamed;  // the x whose answers led here
  };
  struct Duty {  // a move that must be answered; the duties that are left form a list
    std::int32_t node, next;
    std::int16_t x;
  };
  struct Decision {
    std::int16_t x;
    std::int32_t duty, nodes, duties;  // where to take up again, and how much was known
    Word options;                      // open cells that were not tried yet
    Word blamed = 0;
  };

 public:
  Planner(const Shape& shape, bool draw_is_enough) : shape_(shape), draw_is_enough_(draw_is_enough) {
    for (auto& answer : answers_) answer = kUndecided;
  }

  // Whether the plan holds; false also when that takes more than `budget` moves to see.
  bool holds(const Stones<Shape>& start, const Exceptions& exceptions, std::uint64_t budget) {
    for (auto& answer : answers_) answer = kOnTop;
    for (const auto& [x, y] : exceptions) answers_[x] = static_cast<std::int16_t>(y);
    begin(start);
    while (waiting_ >= 0) {
      if (!budget--) return false;
      const Duty duty = duties_[waiting_];
      waiting_ = duty.next;
      if (answer(duty) == End::kBroken) return false;
    }
    return true;
  }

  // A plan that holds, without an exception that is not needed.
  std::optional<Exceptions> find(const Stones<Shape>& start, std::uint64_t budget) {
    for (auto& answer : answers_) answer = kUndecided;
    begin(start);
    while (waiting_ >= 0) {
      if (!budget--) return {};
      const std::int32_t at = waiting_;
      const Duty duty = duties_[at];
      waiting_ = duty.next;
      const End end = answer(duty);
      if (end == End::kUndecided) {
        decide(duty, at);
      } else if (end == End::kBroken && !mend(blamed_)) {
        return {};
      }
    }
    return without_idle(start);
  }

 private:
  void begin(const Stones<Shape>& start) {
    nodes_.clear();
    duties_.clear();
    decisions_.clear();
    table_.assign(std::size_t{1} << 10, -1);
    waiting_ = -1;
    add({start.mine, start.mask, 0});
  }

  // One move of the opponent and its answer.
  End answer(const Duty& duty) {
    const Node node = nodes_[duty.node];
    const Word x = Word{1} << duty.x;
    const Word theirs = node.theirs | x, mask = node.mask | x, ours = mask ^ theirs;
    blamed_ = node.blamed;
    if (has_line(shape_, theirs)) return End::kBroken;
    if (mask == shape_.full) return draw_is_enough_ ? End::kKept : End::kBroken;
    const Word open = landing_cells(shape_, mask);
    if (winning_cells(shape_, ours, mask) & open) return End::kKept;
    const Word stop = winning_cells(shape_, theirs, mask) & open;
    Word reply = lowest_bit(stop), blamed = node.blamed;
    if (!stop) {
      const std::int16_t given = answers_[duty.x];
      if (given == kUndecided) return End::kUndecided;
      blamed_ = blamed |= x;
      if (given >= 0) reply = Word{1} << given & open;
      if (!reply) reply = x << 1 & open;
      if (!reply) return End::kBroken;
    } else if (stop != reply) {
      return End::kBroken;  // two lines at once
    }
    const Word after = mask | reply;
    if (after == shape_.full) return draw_is_enough_ ? End::kKept : End::kBroken;
    add({theirs, after, blamed});
    return End::kGoesOn;
  }

  // Remembers a position, and that all its moves must be answered; one that is known is left alone.
  void add(const Node& node) {
    if (2 * nodes_.size() >= table_.size()) grow();
    auto& place = table_[place_of(node.theirs + node.mask)];
    if (place >= 0) return;
    place = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(node);
    for (Word open = landing_cells(shape_, node.mask); open; open &= open - 1) {
      duties_.push_back({place, waiting_, static_cast<std::int16_t>(lowest_index(open))});
      waiting_ = static_cast<std::int32_t>(duties_.size()) - 1;
    }
  }

  std::size_t place_of(Word key) const {
    auto hash = static_cast<std::uint64_t>(key);
    if constexpr (kBits > 64) hash ^= scrambled(static_cast<std::uint64_t>(key >> 64));
    std::size_t place = scrambled(hash) & (table_.size() - 1);
    while (table_[place] >= 0 && nodes_[table_[place]].theirs + nodes_[table_[place]].mask != key) {
      place = (place + 1) & (table_.size() - 1);
    }
    return place;
  }

  void grow() {
    table_.assign(table_.size() * 2, -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      table_[place_of(nodes_[i].theirs + nodes_[i].mask)] = static_cast<std::int32_t>(i);
    }
  }

  void decide(const Duty& duty, std::int32_t at) {
    const Word x = Word{1} << duty.x;
    const Word open = landing_cells(shape_, nodes_[duty.node].mask | x);
    decisions_.push_back({duty.x, at, static_cast<std::int32_t>(nodes_.size()),
                          static_cast<std::int32_t>(duties_.size()), open & ~(x << 1), 0});
    if (x << 1 & open) {
      answers_[duty.x] = kOnTop;
      waiting_ = at;
    } else {
      next_option();  // the board is not full: a cell is open
    }
  }

  // Takes the next answer of the last decision; false when there is none left.
  bool next_option() {
    Decision& last = decisions_.back();
    if (!last.options) return false;
    answers_[last.x] = static_cast<std::int16_t>(lowest_index(last.options));
    last.options &= last.options - 1;
    waiting_ = last.duty;
    return true;
  }

  // Changes the last of the decisions that are blamed; false when none can be changed.
  bool mend(Word blamed) {
    while (!decisions_.empty()) {
      Decision& last = decisions_.back();
      const Word x = Word{1} << last.x;
      while (static_cast<std::int32_t>(nodes_.size()) > last.nodes) {
        table_[place_of(nodes_.back().theirs + nodes_.back().mask)] = -1;
        nodes_.pop_back();
      }
      duties_.resize(last.duties);
      if (blamed & x) {
        last.blamed |= blamed & ~x;
        if (next_option()) return true;
        blamed = last.blamed | nodes_[duties_[last.duty].node].blamed;
      }
      answers_[last.x] = kUndecided;
      decisions_.pop_back();
    }
    return false;
  }

  std::optional<Exceptions> without_idle(const Stones<Shape>& start) {
    Exceptions found;
    for (int x = 0; x < kBits; ++x) {
      if (answers_[x] >= 0) found.emplace_back(x, answers_[x]);
    }
    const std::uint64_t enough = 20 * duties_.size() + 1000;
    for (std::size_t i = 0; i < found.size();) {
      Exceptions fewer = found;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (holds(start, fewer, enough)) {
        found = fewer;
      } else {
        ++i;
      }
    }
    return found;
  }

  Shape shape_;
  bool draw_is_enough_;
  std::int16_t answers_[kBits];
  std::vector<Node> nodes_;
  std::vector<Duty> duties_;
  std::vector<Decision> decisions_;
  std::vector<std::int32_t> table_;  // of nodes, by their key; -1 is free
  std::int32_t waiting_ = -1;
  Word blamed_ = 0;
};

}  // namespace claimeven
