// The heuristic value of a position: one evaluator with weights. The presets of agents/kinds/weights.py are
// sets of weights.
//
// A *window* is a possible line: `connect` cells in one direction. It is named by its first cell, so a
// set of windows of one direction is a word, and bit-sliced counters count the stones of all windows of
// that direction at once: plane j holds bit j of every count.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"
#include "board/two_sides.hpp"

namespace claimeven {

inline constexpr int kMaxConnect = 129;  // one more than the longest column: a line that never fits

// All weights count for the side from whose view a position is seen: the first of a pair for each of its
// own features, the second (usually negative) for each of its opponent's.
struct Weights {
  enum class Threats { kAll, kLevelPlayable, kPlayable };  // which windows that lack one stone count
  enum class Vertical { kWindows, kTop };  // kTop: only the run of stones on top of a column, with room
  enum class Drop { kThrough, kStart };    // windows through the dropped stone, or starting at it

  // By side, of 1, 2, … stones; the last weight is that of connect - 1, whatever connect is.
  std::array<std::vector<std::int64_t>, 2> windows;  // with no stones but these
  std::array<std::vector<std::int64_t>, 2> runs;     // next to each other, once per free cell at an end
  Threats threats = Threats::kAll;
  Vertical vertical = Vertical::kWindows;
  std::array<std::int64_t, 2> center{};  // a stone in the middle column (or one of two)
  std::array<std::int64_t, 2> height{};  // a stone, times the rows from its own to the top one
  std::array<std::int64_t, 2> drop{};    // a landing cell that would make >= 2 threats: times directions
  Drop drop_windows = Drop::kThrough;
  std::array<std::int64_t, 2>
      parity{};  // the lowest winning cell of a column, on a row of its owner's parity
  std::array<std::int64_t, 2> zugzwang{};  // the second player's, while the first has no such cell
  double noise = 0;                        // standard deviation of a random term that belongs to the position
  std::array<double, 2> miss{};            // probability to overlook a window: straight, diagonal
  std::uint64_t seed = 0;                  // of noise and oversights
};

inline constexpr std::int64_t kMaxValue = 1'000'000'000;  // of a static value, either way

template <class Shape>
class Evaluator {
 public:
  using Word = typename Shape::Word;

  Evaluator(const Shape& shape, const Weights& weights) : shape_(shape), weights_(weights) {
    for (auto* sides : {&weights_.windows, &weights_.runs}) {
      for (auto& side : *sides) side = aligned(side);
    }
    for (int direction = kVertical; direction <= kRising; ++direction) {
      if (!line_fits(shape, direction)) continue;
      Word starts = shape.full;
      for (int i = 1; i < shape.connect; ++i) starts &= shape.full >> (i * distance(shape, direction));
      starts_[direction] = starts & ~overlooked(direction);
    }
    for (int row = 0; row < shape.rows; ++row) {
      const Word cells = shape.bottom << row;
      if (row % 2 == 0) odd_rows_ |= cells;  // rows are counted from 1 when people speak of odd and even
      for (int bit = 0; bit < kHeightBits; ++bit) {
        if ((shape.rows - row) >> bit & 1) height_planes_[bit] |= cells;
      }
    }
    center_ = column_cells(shape, (shape.columns - 1) / 2) | column_cells(shape, shape.columns / 2);
    for (int n = 1; n < shape.connect; ++n) {
      used_[n] = weights_.windows[0][n] != 0 || weights_.windows[1][n] != 0;
    }
    has_runs_ = any(weights_.runs[0]) || any(weights_.runs[1]);
    has_drop_ = weights.drop[0] != 0 || weights.drop[1] != 0;
    has_parity_ = weights.parity[0] != 0 || weights.parity[1] != 0 || weights.zugzwang[0] != 0 ||
                  weights.zugzwang[1] != 0;
    has_height_ = weights.height[0] != 0 || weights.height[1] != 0;
    has_center_ = weights.center[0] != 0 || weights.center[1] != 0;
  }

  bool overlooks() const { return weights_.miss[0] > 0 || weights_.miss[1] > 0; }

  // The empty cells that complete a window of `stones`, among the windows that are not overlooked.
  Word seen_wins(Word stones, Word mask) const {
    const int connect = shape_.connect;
    Word cells = 0;
    for (int direction = kVertical; direction <= kRising; ++direction) {
      if (!line_fits(shape_, direction)) continue;
      const int d = distance(shape_, direction);
      const Word windows = counted(stones, direction).exactly(connect - 1, connect - 1, starts_[direction]);
      for (int i = 0; i < connect; ++i) cells |= windows << (i * d);
    }
    return cells & ~mask;
  }

  // How many windows each cell belongs to: the more, the better a move there usually is.
  int windows_through(Word cell) const {
    int count = 0;
    for (int direction = kVertical; direction <= kRising; ++direction) {
      for (int i = 0; starts_[direction] && i < shape_.connect; ++i) {
        count += ((starts_[direction] << (i * distance(shape_, direction))) & cell) != 0;
      }
    }
    return count;
  }

  // The value of a position that is not over, seen by the owner of `own`.
  std::int64_t value(Word own, Word their, bool own_is_first) const {
    const Word mask = own | their;
    const Word landings = landing_cells(shape_, mask);
    std::int64_t total = 0;
    if (used_.any() || has_drop_) total += window_value(Pair{own, their}, landings);
    if (has_runs_) total += run_value(own, mask, 0) + run_value(their, mask, 1);
    if (has_center_) {
      total += weights_.center[0] * popcount(own & center_) + weights_.center[1] * popcount(their & center_);
    }
    if (has_height_) total += height_value(own, 0) + height_value(their, 1);
    if (has_parity_) total += parity_value(own, their, own_is_first);
    if (weights_.noise > 0) total += noise(own, mask);
    return std::clamp(total, -kMaxValue, kMaxValue);
  }

 private:
  using Pair = PairOf<Word>;
  static constexpr int kHeightBits = 7;  // rows are at most 127
  static constexpr int kPlanes = 7;      // and so are the stones in a window

  // Indexed by the number of stones.
  std::vector<std::int64_t> aligned(const std::vector<std::int64_t>& weights) const {
    std::vector<std::int64_t> result(static_cast<std::size_t>(shape_.connect), 0);
    const std::size_t count = std::min(weights.size(), result.size() - 1);
    std::copy_n(weights.rbegin(), count, result.rbegin());
    return result;
  }

  // Each window is overlooked or not for the whole life of the evaluator.
  Word overlooked(int direction) const {
    const double miss = weights_.miss[(direction == kVertical || direction == kLevel) ? 0 : 1];
    Word windows = 0;
    Random random(weights_.seed + static_cast<std::uint64_t>(direction));
    for (Word rest = shape_.full; rest && miss > 0; rest &= rest - 1) {
      if (unit(random.next()) < miss) windows |= lowest_bit(rest);
    }
    return windows;
  }

  static bool any(const std::vector<std::int64_t>& weights) {
    return std::any_of(weights.begin(), weights.end(), [](auto weight) { return weight != 0; });
  }

  // How many stones lie in each window. A count of `connect` is not needed: the game would be over.
  template <class W>
  struct Counter {
    W plane[kPlanes] = {};

    void add(W bits, int largest) {
      for (int j = 0; largest >> j; ++j) {
        const W carry = plane[j] & bits;
        plane[j] ^= bits;
        bits = carry;
      }
    }
    W any(int largest) const {
      W windows = plane[0];
      for (int j = 1; largest >> j; ++j) windows |= plane[j];
      return windows;
    }
    // The windows among `among` with exactly `count`.
    W exactly(int count, int largest, W among) const {
      for (int j = 0; largest >> j; ++j) among &= (count >> j & 1) ? plane[j] : ~plane[j];
      return among;
    }
  };

  template <class W>
  Counter<W> counted(W stones, int direction) const {
    Counter<W> counter;
    for (int i = 0; i < shape_.connect; ++i) {
      counter.add(stones >> (i * distance(shape_, direction)), std::min(i + 1, shape_.connect - 1));
    }
    return counter;
  }

  // Both sides at once.
  std::int64_t window_value(Pair stones, Word landings) const {
    const int connect = shape_.connect, largest = connect - 1;
    std::int64_t total = 0;
    DropCounter drops;
    for (int direction = kVertical; direction <= kRising; ++direction) {
      if (!line_fits(shape_, direction)) continue;
      const int d = distance(shape_, direction);
      const auto counter = counted(stones, direction);
      const Pair pure = both(starts_[direction]) & ~swapped(counter.any(largest));
      if (direction == kVertical && weights_.vertical == Weights::Vertical::kTop) {
        total +=
            top_value(stones[0], stones[0] | stones[1], 0) + top_value(stones[1], stones[0] | stones[1], 1);
      } else {
        for (int n = 1; n < connect; ++n) {
          if (!used_[n]) continue;
          Pair windows = counter.exactly(n, largest, pure);
          if (n == connect - 1 && must_be_playable(direction)) {
            Word playable = landings;  // windows that hold a landing cell
            for (int i = 1; i < connect; ++i) playable |= landings >> (i * d);
            windows &= both(playable);
          }
          total +=
              weights_.windows[0][n] * popcount(windows[0]) + weights_.windows[1][n] * popcount(windows[1]);
        }
      }
      if (has_drop_)
        drops.add(drop_cells(direction, counter.exactly(connect - 2, largest, pure)) & both(landings));
    }
    if (has_drop_) total += weights_.drop[0] * drops.sum(0) + weights_.drop[1] * drops.sum(1);
    return total;
  }

  // The empty cell of a vertical window is always playable.
  bool must_be_playable(int direction) const {
    return (weights_.threats == Weights::Threats::kPlayable && direction != kVertical) ||
           (weights_.threats == Weights::Threats::kLevelPlayable && direction == kLevel);
  }

  // In how many of the directions a cell makes a threat, for all cells at once.
  struct DropCounter {
    Pair ones{}, twos{}, fours{};
    void add(Pair cells) {
      const Pair carry = ones & cells;
      ones ^= cells;
      fours |= twos & carry;
      twos ^= carry;
    }
    // The directions of all cells that have at least two.
    int sum(int side) const {
      if (!(twos[side] | fours[side])) return 0;
      return popcount((ones & (twos | fours))[side]) + 2 * popcount(twos[side]) + 4 * popcount(fours[side]);
    }
  };

  // The cells of windows that lack two stones: a stone on the one makes a threat of the other.
  Pair drop_cells(int direction, Pair windows) const {
    const int d = distance(shape_, direction), last = shape_.connect - 1;
    if (weights_.drop_windows == Weights::Drop::kStart) {
      // Rightwards, or downwards: then the stone is the upper end of a diagonal.
      return windows << ((direction == kRising || direction == kVertical) ? last * d : 0);
    }
    Pair cells = windows;
    for (int i = 1; i <= last; ++i) cells |= windows << (i * d);
    return cells;
  }

  // Runs of stones on top of a column, each at its full length, with room above to complete a line.
  std::int64_t top_value(Word stones, Word mask, int side) const {
    const auto& weights = weights_.windows[side];
    std::int64_t total = 0;
    Word tops = mask & ~(mask >> 1) & stones;  // of columns, and of runs of at least n
    for (int n = 1; n < shape_.connect; ++n) {
      const Word longer = tops & (stones << n);
      const Word runs = (n == shape_.connect - 1) ? tops : tops & ~longer;
      Word room = shape_.full;
      for (int i = 1; i <= shape_.connect - n; ++i) room &= shape_.full >> i;
      total += weights[n] * popcount(runs & room);
      tops = longer;
    }
    return total;
  }

  std::int64_t run_value(Word stones, Word mask, int side) const {
    const Word free = shape_.full & ~mask;
    const auto& weights = weights_.runs[side];
    std::int64_t total = 0;
    for (int direction = kVertical; direction <= kRising; ++direction) {
      if (!line_fits(shape_, direction)) continue;
      const int d = distance(shape_, direction);
      Word run = stones;  // the first cells of runs of n
      for (int n = 1; n < shape_.connect; ++n) {
        if (weights[n] != 0) {
          total += weights[n] * (popcount((run << (n * d)) & free) + popcount((run >> d) & free));
        }
        run &= stones >> (n * d);
      }
    }
    return total;
  }

  std::int64_t height_value(Word stones, int side) const {
    if (weights_.height[side] == 0) return 0;
    std::int64_t sum = 0;
    for (int bit = 0; shape_.rows >> bit; ++bit) {
      sum += static_cast<std::int64_t>(popcount(stones & height_planes_[bit])) << bit;
    }
    return weights_.height[side] * sum;
  }

  // When both sides fill the columns in turn, the first player gets the odd cells and the second the even
  // ones, and the second player has the last word. In a column only the lowest winning cell can matter.
  std::int64_t parity_value(Word own, Word their, bool own_is_first) const {
    const Word mask = own | their;
    const Word own_wins = winning_cells(shape_, own, mask), their_wins = winning_cells(shape_, their, mask);
    const Word marked = own_wins | their_wins | shape_.bottom << shape_.rows;  // with the sentinels
    const Word lowest = marked & ~(marked - shape_.bottom);
    const Word own_rows = own_is_first ? odd_rows_ : ~odd_rows_;
    const Word own_good = own_wins & own_rows & lowest, their_good = their_wins & ~own_rows & lowest;
    std::int64_t total = weights_.parity[0] * popcount(own_good) + weights_.parity[1] * popcount(their_good);
    if (own_is_first && !own_good) total += weights_.zugzwang[1];
    if (!own_is_first && !their_good) total += weights_.zugzwang[0];
    return total;
  }

  std::int64_t noise(Word own, Word mask) const {
    const Word key = own + mask;
    std::uint64_t word = scrambled(static_cast<std::uint64_t>(key) ^ weights_.seed);
    // What a small board is worth does not depend on the word it is kept in.
    if constexpr (sizeof(Word) > 8) {
      if (shape_.columns * (shape_.rows + 1) > 64) {
        word = scrambled(word ^ static_cast<std::uint64_t>(key >> 64));
      }
    }
    return static_cast<std::int64_t>(weights_.noise * normal(word));
  }

  Shape shape_;
  Weights weights_;
  Word starts_[4] = {};
  Word odd_rows_ = 0, center_ = 0;
  Word height_planes_[kHeightBits] = {};
  std::bitset<kMaxConnect> used_;  // numbers of stones with a weight
  bool has_runs_, has_drop_, has_parity_, has_height_, has_center_;
};

}  // namespace claimeven
