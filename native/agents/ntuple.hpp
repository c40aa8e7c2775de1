// n-tuple networks (Bledsoe and Browning 1959; Lucas 2008; for this game Thill, Koch and Konen 2012): a
// position is worth the sum of what tables say about it, each of which sees a few cells. They learn from
// games that they play against themselves, or from exact labels.
//
// A mirror image looks up the same tables. ntuple_rows.hpp says what a tuple sees.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agents/ntuple_rows.hpp"
#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

class NTuples {
 public:
  using Shape = NTupleRows::Shape;
  using Position = NTupleRows::Position;
  using Cells = NTupleRows::Cells;
  static constexpr int kColumns = Shape::columns;
  using Values = std::array<float, kColumns>;  // of columns, for the side to move; a full one's is kFull
  static constexpr float kFull = -2, kSure = 0.999f, kLater = 0.9999f;

  // `stages`: numbers of stones, ascending; from each of them on there are other weights.
  explicit NTuples(const std::vector<Cells>& tuples, const std::vector<int>& stages = {}) : rows_of_(tuples) {
    int before = 0;
    std::size_t last = 0;
    for (const int first : stages) {
      if (first <= before || first >= kCells)
        throw std::invalid_argument("ntuple: stages begin at 1 to 41 stones, one after the other");
      before = first;
      std::fill(stage_of_.begin() + first, stage_of_.end(), ++last);
    }
    for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
      firsts_.push_back(static_cast<std::uint32_t>(rows_));
      rows_ += rows_of_.size(tuple);
    }
    weights_.assign(2 * rows_ * (last + 1), 0);  // of a stage: the first player to move, then the second
  }

  std::size_t tuples() const { return firsts_.size(); }
  std::span<float> weights() { return weights_; }
  std::span<const float> weights() const { return weights_; }

  // Where a position stands in the tables: the rows of its tuples, then those of its mirror image.
  using Places = std::vector<std::uint32_t>;
  float sum(const Position& position) const {
    NTupleRows::Rows rows;
    rows_of_.find(position, rows);
    const float* weights = weights_.data() + side(position);
    float totals[2] = {0, 0};  // added up apart, so that a mirror image has the same sum to the last bit
    for (std::size_t way = 0; way < 2; ++way) {
      for (std::size_t i = 0; i < firsts_.size(); ++i) totals[way] += weights[firsts_[i] + rows[way][i]];
    }
    return totals[0] + totals[1];
  }

  void find_places(const Position& position, Places& places) const {
    NTupleRows::Rows rows;
    rows_of_.find(position, rows);
    const auto first = static_cast<std::uint32_t>(side(position));
    places.resize(2 * firsts_.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t way = i / firsts_.size(), tuple = i % firsts_.size();
      places[i] = first + firsts_[tuple] + rows[way][tuple];
    }
  }

  // What a position is worth to the side to move, between -1 and 1: less than what is known.
  float value(const Position& position) const { return kSure * std::tanh(sum(position)); }

  // What each column is worth after so many plies of search: what wins or loses at once is seen by the rules,
  // the rest by the tables.
  Values values(const Position& position, int depth = 0) const {
    Values found;
    found.fill(kFull);
    for (Word64 rest = landing_cells(kShape, position.mask); rest; rest &= rest - 1) {
      const Word64 cell = rest & -rest;
      found[static_cast<std::size_t>(column_of(kShape, cell))] = value_after(position.play(cell), depth);
    }
    return found;
  }

  // Of a move that leads to this position, to who made it.
  float value_after(const Position& after, int depth) const {
    float known;
    if (is_known(after, known)) return -known;
    if (depth == 0) return -value(after);
    const Values answers = values(after, depth - 1);
    return -kLater * *std::max_element(answers.begin(), answers.end());  // wins are hurried, losses delayed
  }

  // Whether the rules alone tell what it is worth to the side to move.
  static bool is_known(const Position& position, float& value) {
    if (position.is_won(kShape)) {
      value = -1;
    } else if (position.mask == Shape::full) {
      value = 0;
    } else if (winning_cells(kShape, position.mine, position.mask) & landing_cells(kShape, position.mask)) {
      value = 1;
    } else {
      return false;
    }
    return true;
  }

  // The column to play; a mirror image gets the mirrored one.
  int choose(const Position& position, int depth = 0) const {
    const Position other = mirror(kShape, position);
    if (other.key() < position.key()) return kColumns - 1 - best(values(other, depth));
    return best(values(position, depth));
  }

  // The column that is worth most, of equals the one nearest to the middle, then the left one.
  static int best(const Values& values) {
    static constexpr int kOrder[kColumns] = {3, 2, 4, 1, 5, 0, 6};
    int best = kOrder[0];
    for (const int column : kOrder) {
      if (values[static_cast<std::size_t>(column)] > values[static_cast<std::size_t>(best)]) best = column;
    }
    return best;
  }

 private:
  static constexpr Shape kShape{};
  static constexpr int kCells = Shape::columns * Shape::rows;

  std::size_t side(const Position& position) const {
    const auto ply = static_cast<std::size_t>(position.ply());
    return (2 * stage_of_[ply] + (ply & 1)) * rows_;
  }

  NTupleRows rows_of_;
  std::array<std::size_t, kCells + 1> stage_of_{};  // by stones
  std::size_t rows_ = 0;                            // of all tables together
  std::vector<std::uint32_t> firsts_;               // row of each table
  std::vector<float> weights_;
};

// Tuples by chance: walks from cell to neighbouring cell.
inline std::vector<NTuples::Cells> random_tuples(int count, int length, std::uint64_t seed) {
  Random random(seed);
  std::vector<NTuples::Cells> found;
  const int height = NTuples::Shape::rows + 1;
  const int steps[8] = {1, -1, height, -height, height + 1, height - 1, -height + 1, -height - 1};
  while (static_cast<int>(found.size()) < count) {
    NTuples::Cells cells;
    int at = -1;
    while (static_cast<int>(cells.size()) < length) {
      const int next = at < 0 ? static_cast<int>(random.below(64)) : at + steps[random.below(8)];
      if (next < 0 || next >= 64 || !(NTuples::Shape::full >> next & 1)) continue;
      at = next;
      if (std::find(cells.begin(), cells.end(), at) == cells.end()) cells.push_back(at);
    }
    std::sort(cells.begin(), cells.end());
    if (std::find(found.begin(), found.end(), cells) == found.end()) found.push_back(cells);
  }
  return found;
}

// Tuples of threats: three cells above one another in one column and three in another (or the same),
// each pair once, mirror images as one, in an order by chance.
inline std::vector<NTuples::Cells> random_threats(int count, std::uint64_t seed) {
  constexpr int kRun = 3, kHeight = NTuples::Shape::rows + 1, kStarts = NTuples::Shape::rows - kRun + 1;
  constexpr int kRuns = NTuples::kColumns * kStarts;
  std::vector<NTuples::Cells> all;
  for (int one = 0; one < kRuns; ++one) {
    for (int two = one + 1; two < kRuns; ++two) {
      const auto first = [](int run) { return run / kStarts * kHeight + run % kStarts; };
      const auto mirrored = [](int run) {
        return (NTuples::kColumns - 1 - run / kStarts) * kStarts + run % kStarts;
      };
      if (first(two) < first(one) + kRun) continue;  // they overlap
      const int three = mirrored(one), four = mirrored(two);
      if (std::pair(std::min(three, four), std::max(three, four)) < std::pair(one, two)) continue;
      NTuples::Cells cells;
      for (const int start : {first(one), first(two)}) {
        for (int row = 0; row < kRun; ++row) cells.push_back(NTupleRows::kThreat + start + row);
      }
      all.push_back(cells);
    }
  }
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[random.below(static_cast<std::uint32_t>(i))]);
  if (static_cast<std::size_t>(count) < all.size()) all.resize(static_cast<std::size_t>(count));
  return all;
}

}  // namespace claimeven
