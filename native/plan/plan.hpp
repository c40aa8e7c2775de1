// Plans: how the side that has just moved (the *holder*) answers everything, told in a few words.
//
// After a stone of the opponent on x, the holder
//   1. completes a line, if it can;
//   2. else stops the line that the opponent threatens to complete;
//   3. else plays the first `urgent` cell that is open;
//   4. else plays y, the first one of the exceptions x -> y that is open;
//   5. else plays on top of x;
//   6. else, x having filled its column, plays the first `spare` cell that is open.
// A plan *holds* when no reply breaks it: the opponent never completes a line, the holder never is without an
// answer, and (unless a draw is enough) the board never fills. `holds` plays it against everything; it knows
// no theorem. The plans of theorem T4 (pairing.hpp) are of this kind: their exceptions are the matched
// singles.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

using Exceptions = std::vector<std::pair<int, int>>;  // by x; of one x in their order

struct Plan {  // cells by their bits
  std::vector<int> urgent;
  Exceptions exceptions;
  std::vector<int> spare;

  std::size_t size() const { return urgent.size() + exceptions.size() + spare.size(); }
};

// Positions with the opponent to move, each with something, found by their stones; the last ones can be
// forgotten.
template <class Shape, class Kept>
class Positions {
  using Word = typename Shape::Word;

 public:
  struct Entry {
    Word theirs, mask;
    Kept kept;
  };

  void clear() {
    entries_.clear();
    table_.assign(std::size_t{1} << 10, -1);
  }
  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t index) const { return entries_[index]; }

  // Adds a position; false when it is known.
  bool add(const Entry& entry) {
    if (2 * entries_.size() >= table_.size()) grow();
    auto& place = table_[place_of(entry.theirs + entry.mask)];
    if (place >= 0) return false;
    place = static_cast<std::int32_t>(entries_.size());
    entries_.push_back(entry);
    return true;
  }

  // Nothing when it is not known.
  const Entry* find(Word theirs, Word mask) const {
    const auto place = table_[place_of(theirs + mask)];
    return place < 0 ? nullptr : &entries_[place];
  }

  void forget_last() {
    table_[place_of(entries_.back().theirs + entries_.back().mask)] = -1;
    entries_.pop_back();
  }

 private:
  std::size_t place_of(Word key) const {
    auto hash = static_cast<std::uint64_t>(key);
    if constexpr (sizeof(Word) > 8) hash ^= scrambled(static_cast<std::uint64_t>(key >> 64));
    std::size_t place = scrambled(hash) & (table_.size() - 1);
    while (table_[place] >= 0 && entries_[table_[place]].theirs + entries_[table_[place]].mask != key) {
      place = (place + 1) & (table_.size() - 1);
    }
    return place;
  }

  void grow() {
    table_.assign(table_.size() * 2, -1);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      table_[place_of(entries_[i].theirs + entries_[i].mask)] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::int32_t> table_;  // -1 is free
};

inline constexpr std::uint64_t kEnoughMoves = 10'000'000;  // to see any plan of a board that people play

enum class Urgency { kLost, kWon, kFull, kStop, kQuiet };

// What is to be done after the opponent's x, before any plan is asked; the cell if it is to be stopped.
template <class Shape>
std::pair<Urgency, typename Shape::Word> urgency(const Shape& shape, typename Shape::Word theirs,
                                                 typename Shape::Word mask) {
  using Word = typename Shape::Word;
  if (has_four(shape, theirs)) return {Urgency::kLost, 0};
  if (mask == shape.full) return {Urgency::kFull, 0};
  const Word open = landing_cells(shape, mask);
  if (winning_cells(shape, mask ^ theirs, mask) & open) return {Urgency::kWon, 0};
  const Word stop = winning_cells(shape, theirs, mask) & open;
  if (!stop) return {Urgency::kQuiet, 0};
  return stop == lowest_bit(stop) ? std::pair{Urgency::kStop, stop} : std::pair{Urgency::kLost, Word{0}};
}

// What a plan plays after a quiet x: of the cells that it tries, in their order, the first one that is open.
template <class Word>
class Answers {
  static constexpr int kBits = sizeof(Word) * 8;

 public:
  explicit Answers(const Plan& plan) {
    for (int x = 0; x < kBits; ++x) {
      first_[x] = static_cast<std::uint16_t>(cells_.size());
      const auto add = [&](int y) { cells_.push_back(static_cast<std::uint8_t>(y)); };
      for (const int y : plan.urgent) add(y);
      for (const auto& [after, y] : plan.exceptions) {
        if (after == x) add(y);
      }
      if (x + 1 < kBits) add(x + 1);  // above a full column nothing is ever open
      for (const int y : plan.spare) add(y);
    }
    first_[kBits] = static_cast<std::uint16_t>(cells_.size());
  }

  // 0 where nothing is open.
  Word reply(int x, Word open) const {
    for (int i = first_[x]; i < first_[x + 1]; ++i) {
      if (const Word cell = Word{1} << cells_[i] & open) return cell;
    }
    return 0;
  }

 private:
  std::vector<std::uint8_t> cells_;
  std::uint16_t first_[kBits + 1];
};

template <class Shape>
class Holder {
  using Word = typename Shape::Word;

 public:
  Holder(const Shape& shape, bool draw_is_enough) : shape_(shape), draw_is_enough_(draw_is_enough) {}

  // Whether the plan holds; false also when that takes more than `budget` moves to see.
  bool holds(const Stones<Shape>& start, const Plan& plan, std::uint64_t budget) {
    return holds(start, Answers<Word>(plan), budget);
  }

  // Depth first: where it fails, that is soon seen.
  bool holds(const Stones<Shape>& start, const Answers<Word>& answers, std::uint64_t budget) {
    positions_.clear();
    waiting_.clear();
    moves_ = 0;
    add(start.mine, start.mask);
    while (!waiting_.empty()) {
      const std::int32_t at = waiting_.back();
      waiting_.pop_back();
      for (Word left = landing_cells(shape_, positions_[at].mask); left; left &= left - 1) {
        if (moves_++ == budget || !is_answered(at, lowest_bit(left), answers)) return false;
      }
    }
    return true;
  }

  std::uint64_t moves() const { return moves_; }  // that the last call played

 private:
  struct Nothing {};

  void add(Word theirs, Word mask) {
    const auto place = static_cast<std::int32_t>(positions_.size());
    if (positions_.add({theirs, mask, {}})) waiting_.push_back(place);
  }

  bool is_answered(std::size_t at, Word x, const Answers<Word>& answers) {
    const Word theirs = positions_[at].theirs | x, mask = positions_[at].mask | x;
    const auto [urgency, stop] = claimeven::urgency(shape_, theirs, mask);
    if (urgency == Urgency::kWon) return true;
    if (urgency == Urgency::kLost) return false;
    if (urgency == Urgency::kFull) return draw_is_enough_;
    const Word reply = stop ? stop : answers.reply(lowest_index(x), landing_cells(shape_, mask));
    if (!reply) return false;
    if ((mask | reply) == shape_.full) return draw_is_enough_;
    add(theirs, mask | reply);
    return true;
  }

  Shape shape_;
  bool draw_is_enough_;
  Positions<Shape, Nothing> positions_;
  std::vector<std::int32_t> waiting_;
  std::uint64_t moves_ = 0;
};

}  // namespace claimeven
