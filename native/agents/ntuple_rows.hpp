// Where a position stands in the tables of n-tuples: a row of each table, found for all tables at once.
//
// A tuple of stones sees of each of its cells: empty, empty with a disc that would land on it, mine or
// theirs. Cells of different columns do not depend on each other, those of one column do: so a table has a
// row for every state of its cells that gravity allows, numbered column by column, and the row of a position
// is a sum over seven columns.
//
// A tuple of threats sees of each of its cells: filled, or empty and whether a disc there would complete a
// four of mine, of theirs, of both. These are five states and gravity is not asked: the row is a sum over
// columns too, of what is filled and of the threats of either side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "board/board.hpp"

namespace claimeven {

class NTupleRows {
 public:
  using Shape = FixedShape<7, 6, 4>;
  using Position = Stones<Shape>;
  using Cells = std::vector<int>;  // of one tuple, as bits of the board; kThreat more where it sees threats
  static constexpr int kColumns = Shape::columns, kThreat = 64;
  static constexpr std::size_t kMostTuples = 1280, kMostStones = 8, kMostThreats = 6, kLanes = 16;

  // Those of stones come first.
  explicit NTupleRows(const std::vector<Cells>& tuples) {
    check(tuples);
    while (stones_ < tuples.size() && !sees_threats(tuples[stones_])) ++stones_;
    threats_ = tuples.size() - stones_;
    stone_lanes_ = in_lanes(stones_);
    threat_lanes_ = in_lanes(threats_);
    for (std::size_t way = 0; way < 2; ++way) {
      stone_parts_[way].assign(kColumns * kKeys * stone_lanes_, 0);
      for (auto& parts : threat_parts_[way]) parts.assign(kColumns * kKeys * threat_lanes_, 0);
    }
    for (std::size_t i = 0; i < stones_; ++i) sizes_.push_back(number_stones(i, tuples[i]));
    for (std::size_t i = 0; i < threats_; ++i) sizes_.push_back(number_threats(i, tuples[stones_ + i]));
  }

  std::size_t tuples() const { return sizes_.size(); }
  std::size_t size(std::size_t tuple) const { return sizes_[tuple]; }  // rows of its table

  // Of every table the row of a position: as it is, then as its mirror image.
  using Rows = std::array<std::array<std::uint16_t, kMostTuples + 2 * kLanes>, 2>;
  void find(const Position& position, Rows& rows) const {
    const Word64 key = position.key();
    for (std::size_t way = 0; way < 2; ++way)
      add<false>(stone_parts_[way], key, stone_lanes_, rows[way].data());
    if (threats_ == 0) return;
    const Word64 mine = winning_cells(kShape, position.mine, position.mask);
    const Word64 theirs = winning_cells(kShape, position.theirs(), position.mask);
    for (std::size_t way = 0; way < 2; ++way) {
      std::uint16_t* first = rows[way].data() + stones_;  // over the lanes that no tuple of stones has
      add<false>(threat_parts_[way][0], key, threat_lanes_, first);
      add<true>(threat_parts_[way][1], mine, threat_lanes_, first);
      add<true>(threat_parts_[way][2], theirs, threat_lanes_, first);
    }
  }

 private:
  static constexpr Shape kShape{};
  static constexpr std::size_t kKeys = 128;  // of a column: mine + mask, as in Stones::key; or its threats
  using Parts = std::vector<std::uint16_t>;  // [column][key][tuple]

  static std::size_t in_lanes(std::size_t tuples) { return (tuples + kLanes - 1) / kLanes * kLanes; }
  static bool sees_threats(const Cells& cells) { return cells.front() >= kThreat; }

  static void check(const std::vector<Cells>& tuples) {
    if (tuples.empty() || tuples.size() > kMostTuples)
      throw std::invalid_argument("ntuple: there must be 1 to 1280 tuples");
    bool had_threats = false;
    for (const Cells& cells : tuples) {
      if (cells.empty() || cells.size() > kMostStones)
        throw std::invalid_argument("ntuple: a tuple has 1 to 8 cells");
      const bool threats = sees_threats(cells);
      if (threats && cells.size() > kMostThreats)
        throw std::invalid_argument("ntuple: a tuple of threats has 1 to 6 cells");
      if (had_threats && !threats) throw std::invalid_argument("ntuple: tuples of threats come last");
      had_threats = threats;
      Word64 seen = 0;
      for (const int number : cells) {
        const int cell = threats ? number - kThreat : number;
        if (cell < 0 || cell > 63 || !(Shape::full >> cell & 1) || (seen >> cell & 1))
          throw std::invalid_argument("ntuple: a tuple has cells of the board, each once");
        seen |= Word64{1} << cell;
      }
    }
  }

  static void put(std::array<Parts*, 2> ways, std::size_t lanes, std::size_t tuple, int column,
                  std::size_t key, std::size_t part) {
    for (std::size_t way = 0; way < 2; ++way) {
      const auto seen = static_cast<std::size_t>(way ? kColumns - 1 - column : column);
      (*ways[way])[(seen * kKeys + key) * lanes + tuple] = static_cast<std::uint16_t>(part);
    }
  }

  // Calls action(height, mine, key) for every state of a column.
  template <class Action>
  static void for_states(Action action) {
    for (int height = 0; height <= Shape::rows; ++height) {
      const Word64 mask = (Word64{1} << height) - 1;
      for (Word64 mine = 0; mine <= mask; ++mine) action(height, mine, static_cast<std::size_t>(mine + mask));
    }
  }

  // Numbers the states of the tuple's cells, column by column; returns how many there are.
  std::size_t number_stones(std::size_t tuple, const Cells& cells) {
    std::size_t count = 1;
    for (int column = 0; column < kColumns; ++column) {
      std::map<std::vector<int>, std::size_t> states;
      for_states([&](int height, Word64 mine, std::size_t key) {
        std::vector<int> state;
        for (const int cell : cells) {
          if (cell / (Shape::rows + 1) != column) continue;
          const int row = cell % (Shape::rows + 1);
          state.push_back(row > height ? 0 : row == height ? 1 : (mine >> row & 1) ? 2 : 3);
        }
        const std::size_t number = states.emplace(state, states.size()).first->second;
        put({&stone_parts_[0], &stone_parts_[1]}, stone_lanes_, tuple, column, key, number * count);
      });
      count *= states.size();
    }
    return count;  // at most 4 ^ 8: a row fits into 16 bits
  }

  std::size_t number_threats(std::size_t tuple, const Cells& cells) {
    for (int column = 0; column < kColumns; ++column) {
      const auto sum = [&](Word64 rows, std::size_t worth) {  // of the cells of this column in these rows
        std::size_t total = 0, unit = worth;
        for (const int number : cells) {
          const int cell = number - kThreat;
          if (cell / (Shape::rows + 1) == column && (rows >> cell % (Shape::rows + 1) & 1)) total += unit;
          unit *= kStates;
        }
        return total;
      };
      const auto place = [&](std::size_t what, std::size_t key, std::size_t part) {
        put({&threat_parts_[0][what], &threat_parts_[1][what]}, threat_lanes_, tuple, column, key, part);
      };
      for_states([&](int height, Word64, std::size_t key) { place(0, key, sum(~Word64{0} << height, 1)); });
      for (std::size_t rows = 0; rows < kKeys; ++rows) {
        place(1, rows, sum(rows, 1));
        place(2, rows, sum(rows, 2));
      }
    }
    std::size_t count = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) count *= kStates;
    return count;  // at most 5 ^ 6
  }

  // What the seven columns of a word say, for all tuples; to be added to the rows, or their beginning.
  template <bool kAdds>
  static void add(const Parts& parts, Word64 word, std::size_t lanes, std::uint16_t* rows) {
    const std::uint16_t* of[kColumns];
    for (std::size_t column = 0; column < kColumns; ++column) {
      of[column] = &parts[(column * kKeys + (word >> (column * (Shape::rows + 1)) & (kKeys - 1))) * lanes];
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      rows[i] = static_cast<std::uint16_t>((kAdds ? rows[i] : 0) + of[0][i] + of[1][i] + of[2][i] + of[3][i] +
                                           of[4][i] + of[5][i] + of[6][i]);
    }
  }

  static constexpr std::size_t kStates = 5;  // filled 0; empty 1, and 1 more a threat of mine, 2 of theirs

  std::size_t stones_ = 0, threats_ = 0, stone_lanes_ = 0, threat_lanes_ = 0;
  std::vector<std::size_t> sizes_;
  std::array<Parts, 2> stone_parts_;  // of the board and of its mirror image
  std::array<std::array<Parts, 3>, 2>
      threat_parts_;  // the same: what is empty, threats of mine and of theirs
};

}  // namespace claimeven
