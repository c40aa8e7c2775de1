// Checks of what comes through a door, before anything computes with it. They throw std::invalid_argument.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "board/board.hpp"

namespace claimeven {

inline constexpr int kBits = 128;

inline void check_board(int columns, int rows, int connect) {
  if (columns < 1 || rows < 1 || connect < 1)
    throw std::invalid_argument("board: every size must be at least 1");
  if (columns > kMaxColumns) throw std::invalid_argument("board: at most 35 columns");
  if (rows >= kBits || columns * (rows + 1) > kBits) {
    throw std::invalid_argument("board: columns x (rows + 1) must be at most 128");
  }
}

// Checks the board, then calls `action(shape)` with its fastest shape. A connect beyond both sides is a
// certain draw, however long: it is cut to one more than the longer side.
template <class Action>
auto with_checked_shape(int columns, int rows, int connect, Action&& action) {
  check_board(columns, rows, connect);
  return with_shape(columns, rows, std::min(connect, std::max(columns, rows) + 1), action);
}

template <class Shape>
Stones<Shape> checked_stones(const Shape& shape, Word128 mine, Word128 mask) {
  using Word = typename Shape::Word;
  if (mask & ~static_cast<Word128>(shape.full))
    throw std::invalid_argument("mask: a stone lies outside the board");
  if (mine & ~mask) throw std::invalid_argument("mine: a stone is missing in mask");
  const Word stones = static_cast<Word>(mask);
  if (stones & ~(stones << 1 | shape.bottom)) throw std::invalid_argument("mask: a stone floats");
  return {static_cast<Word>(mine), stones};
}

// Somebody can move, and nobody has won.
template <class Shape>
void check_to_move(const Shape& shape, const Stones<Shape>& stones) {
  if (stones.mask == shape.full || has_four(shape, stones.mine) || stones.is_won(shape)) {
    throw std::invalid_argument("the game is over");
  }
}

}  // namespace claimeven
