// Which child to search first. A good first move ends most searches at once.
//
// The promise of a move is a weighted sum: winning cells that the opponent does not neutralise, those about
// to become playable more; few replies; and the value of the cell itself. On 7x6x4 all numbers were fitted to
// make the search small (bench/tune.cpp), elsewhere the value of a cell is the number of lines through it.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace claimeven {

struct OrderingWeights {
  int useful;      // per winning cell not directly above a winning cell of the opponent
  int next;        // more, if it is playable after the opponent's next stone in that column
  int after_next;  // more, if one later
  int reply;       // less, per reply that does not lose at once
  int attack;      // more, per winning cell that the opponent must block now
};

namespace tuned_7x6x4 {
// [side][bit]: what each cell is worth as a move, bottom row first within a column.
inline constexpr OrderingWeights kWeights = {256, 500, 200, 80, 0};
}  // namespace tuned_7x6x4

template <class Shape>
class Ordering {
 public:
  using Word = typename Shape::Word;

  explicit Ordering(const Shape& shape) : weights_(tuned_7x6x4::kWeights) {
    const int height = shape.rows + 1;
    for (int cell = 0; cell < shape.columns * height; ++cell) {
      const int value = 20 * lines_through(shape, cell) + 5 * lines_through(shape, cell + 1);
      cell_[0][cell] = cell_[1][cell] = value;
    }
  }

  // Fills in the promise of every active child. `threats` are the winning cells of the opponent.
  template <class Batch>
  void score(const Shape&, int ply, Word threats, const Batch& children,
             std::int64_t (&promise)[kLanes]) const {
    using Lanes = LanesOf<Word>;
    const Lanes useful = children.wins & ~((threats & ~children.mask) << 1);
    const Lanes next = children.landings << 1;
    const Lanes attacked = children.wins & children.landings;
    const Lanes64 sum = popcounts(useful) * weight(weights_.useful) +
                        popcounts(Lanes(useful & next)) * weight(weights_.next) +
                        popcounts(Lanes(useful & (next << 1))) * weight(weights_.after_next) -
                        popcounts(children.replies) * weight(weights_.reply) +
                        popcounts(attacked) * weight(weights_.attack);
    for (int lane = 0; lane < kLanes; ++lane) promise[lane] = static_cast<std::int64_t>(sum[lane]);
    for (unsigned left = children.active; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      promise[lane] += cell_[ply % 2][lowest_index(Word(children.move[lane]))];
    }
  }

 private:
  // Two's complement: sums of negative terms come out right in unsigned lanes.
  static Word64 weight(int value) { return static_cast<Word64>(static_cast<std::int64_t>(value)); }

  static int lines_through(const Shape& shape, int cell) {
    const Word bit = Word{1} << cell;
    if (!(bit & shape.full)) return 0;
    int lines = 0;
    for (int direction = kVertical; direction <= kRising; ++direction) {
      if (!line_fits(shape, direction)) continue;
      const int d = distance(shape, direction);
      // Runs of free cells through this one: how far one can go each way.
      int before = 0, after = 0;
      for (Word at = bit; before < shape.connect - 1 && (at = at >> d) & shape.full; ++before) {
      }
      for (Word at = bit; after < shape.connect - 1 && (at = at << d) & shape.full; ++after) {
      }
      lines += std::max(0, before + after + 2 - shape.connect);
    }
    return lines;
  }

  OrderingWeights weights_;
  std::int32_t cell_[2][sizeof(Word) * 8 + 1] = {};
};

}  // namespace claimeven
