// n-tuple networks (Bledsoe and Browning 1959; Lucas 2008; for this game Thill, Koch and Konen 2012): a
// position is worth the sum of what tables say about it, each of which sees a few cells. They learn from
// games that they play against themselves, or from exact labels.
//
// A cell is empty, empty with a disc that would land on it, mine or theirs. Cells of different columns do not
// depend on each other, those of one column do: so a table has a row for every state of its cells that
// gravity allows, numbered column by column, and the row of a position is a sum over seven columns. A mirror
// image looks up the same tables.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

class NTuples {
 public:
  using Shape = FixedShape<7, 6, 4>;
  using Position = Stones<Shape>;
  using Cells = std::vector<int>;  // of one tuple, as bits of the board
  static constexpr int kColumns = Shape::columns;
  using Values = std::array<float, kColumns>;  // of columns, for the side to move; a full one's is kFull
  static constexpr float kFull = -2, kSure = 0.999f, kLater = 0.9999f;
  static constexpr std::size_t kMostTuples = 1024;

  explicit NTuples(const std::vector<Cells>& tuples)
      : tuples_(checked(tuples)), lanes_((tuples_ + 15) / 16 * 16) {
    for (auto& parts : parts_) parts.assign(kColumns * kKeys * lanes_, 0);
    std::size_t first = 0;
    for (std::size_t tuple = 0; tuple < tuples_; ++tuple) {
      firsts_.push_back(static_cast<std::uint32_t>(first));
      first += number_rows(tuple, tuples[tuple]);
    }
    rows_ = first;
    weights_.assign(2 * rows_, 0);  // those of the first player to move, then of the second
  }

  std::size_t tuples() const { return tuples_; }
  std::span<float> weights() { return weights_; }
  std::span<const float> weights() const { return weights_; }

  // Where a position stands in the tables: the rows of its tuples, then those of its mirror image.
  using Places = std::vector<std::uint32_t>;
  float sum(const Position& position) const {
    std::uint16_t rows[kMostTuples];
    const float* weights = weights_.data() + static_cast<std::size_t>(position.ply() & 1) * rows_;
    float totals[2] = {0, 0};  // added up apart, so that a mirror image has the same sum to the last bit
    for (std::size_t way = 0; way < 2; ++way) {
      rows_of(position.key(), parts_[way], rows);
      for (std::size_t i = 0; i < tuples_; ++i) totals[way] += weights[firsts_[i] + rows[i]];
    }
    return totals[0] + totals[1];
  }

  void find_places(const Position& position, Places& places) const {
    std::uint16_t rows[kMostTuples];
    const auto side = static_cast<std::uint32_t>(static_cast<std::size_t>(position.ply() & 1) * rows_);
    places.resize(2 * tuples_);
    for (std::size_t way = 0; way < 2; ++way) {
      rows_of(position.key(), parts_[way], rows);
      for (std::size_t i = 0; i < tuples_; ++i) places[way * tuples_ + i] = side + firsts_[i] + rows[i];
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
  static constexpr std::size_t kKeys = 128;  // of a column: mine + mask, as in Stones::key

  static std::size_t checked(const std::vector<Cells>& tuples) {
    if (tuples.empty() || tuples.size() > kMostTuples)
      throw std::invalid_argument("ntuple: there must be 1 to 1024 tuples");
    for (const Cells& cells : tuples) {
      if (cells.empty() || cells.size() > 8) throw std::invalid_argument("ntuple: a tuple has 1 to 8 cells");
      Word64 seen = 0;
      for (const int cell : cells) {
        if (cell < 0 || cell > 63 || !(Shape::full >> cell & 1) || (seen >> cell & 1))
          throw std::invalid_argument("ntuple: a tuple has cells of the board, each once");
        seen |= Word64{1} << cell;
      }
    }
    return tuples.size();
  }

  // Numbers the states of the tuple's cells, column by column; returns how many there are.
  std::size_t number_rows(std::size_t tuple, const Cells& cells) {
    std::size_t count = 1;
    for (int column = 0; column < kColumns; ++column) {
      std::map<std::vector<int>, std::size_t> states;
      for (int height = 0; height <= Shape::rows; ++height) {
        for (Word64 mine = 0; mine < Word64{1} << height; ++mine) {
          const Word64 mask = (Word64{1} << height) - 1;
          std::vector<int> state;
          for (const int cell : cells) {
            if (cell / (Shape::rows + 1) != column) continue;
            const int row = cell % (Shape::rows + 1);
            state.push_back(row > height ? 0 : row == height ? 1 : (mine >> row & 1) ? 2 : 3);
          }
          const std::size_t number = states.emplace(state, states.size()).first->second;
          const auto part = static_cast<std::uint16_t>(number * count);
          const std::size_t key = mine + mask;
          parts_[0][(static_cast<std::size_t>(column) * kKeys + key) * lanes_ + tuple] = part;
          parts_[1][(static_cast<std::size_t>(kColumns - 1 - column) * kKeys + key) * lanes_ + tuple] = part;
        }
      }
      count *= states.size();
    }
    return count;  // at most 4 ^ 8: a row fits into 16 bits
  }

  void rows_of(Word64 key, const std::vector<std::uint16_t>& parts, std::uint16_t* rows) const {
    const std::uint16_t* of[kColumns];
    for (std::size_t column = 0; column < kColumns; ++column) {
      of[column] = &parts[(column * kKeys + (key >> (column * (Shape::rows + 1)) & (kKeys - 1))) * lanes_];
    }
    for (std::size_t i = 0; i < lanes_; ++i) {
      rows[i] = static_cast<std::uint16_t>(of[0][i] + of[1][i] + of[2][i] + of[3][i] + of[4][i] + of[5][i] +
                                           of[6][i]);
    }
  }

  std::size_t tuples_, lanes_, rows_ = 0;
  std::array<std::vector<std::uint16_t>, 2>
      parts_;                          // [column][key][tuple], of the board and of its mirror image
  std::vector<std::uint32_t> firsts_;  // row of each table
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

}  // namespace claimeven
