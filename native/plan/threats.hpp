// Wins by threats alone: each disc of the side to move completes a four or threatens one that the other side,
// which has none to complete, must block; the last block comes too late.
#pragma once

#include <vector>

#include "board/board.hpp"

namespace claimeven {

// Appends the cells by turns, the mover first, and last its four; false and nothing if it takes more discs.
template <class Shape, class W>
bool wins_by_threats(const Shape& shape, W ours, W theirs, int discs, std::vector<W>& line) {
  const W mask = ours | theirs, open = landing_cells(shape, mask);
  if (const W now = winning_cells(shape, ours, mask) & open) {
    line.push_back(now & -now);
    return true;
  }
  if (discs <= 1) return false;
  const W blocks = winning_cells(shape, theirs, mask) & open;
  if (blocks & (blocks - 1)) return false;
  for (W left = blocks ? blocks : open; left; left &= left - 1) {
    const W cell = left & -left, after = landing_cells(shape, mask | cell);
    const W threats = winning_cells(shape, ours | cell, mask | cell) & after;
    if (!threats || (winning_cells(shape, theirs, mask | cell) & after)) continue;
    const W block = threats & -threats;
    line.push_back(cell);
    line.push_back(block);
    if (wins_by_threats(shape, W(ours | cell), W(theirs | block), discs - 1, line)) return true;
    line.resize(line.size() - 2);
  }
  return false;
}

// The shortest such line with at most so many discs of the mover; nothing if there is none.
template <class Shape, class W>
std::vector<W> shortest_threats(const Shape& shape, W ours, W theirs, int discs) {
  std::vector<W> line;
  if (!wins_by_threats(shape, ours, theirs, discs, line)) return line;
  for (int few = 1;; ++few) {
    line.clear();
    if (wins_by_threats(shape, ours, theirs, few, line)) return line;
  }
}

}  // namespace claimeven
