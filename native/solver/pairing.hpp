// The parity theorems T1 to T4 as upper bounds on the score of the side to move.
//
// Call the side to move the *mover*, the other the *follower*. Count the rows from 1 at the bottom to H
// at the top; a *claim* cell is one whose row has the parity of H (on 7x6: rows 2, 4, 6).
//
// The pairing lemma (V. Allis, 1988, for even heights; only the parity of H - row matters, so it holds for
// all). Let the number of empty cells be even. Pair the empty cells of each column from the top down; a
// column with an odd number of them leaves its landing cell over, a *single*, which is a claim cell; there is
// an even number of singles, and they are matched in pairs too. The follower always answers inside the pair
// of the mover's last stone: the upper cell has just become playable, the partner of a single still is. So
// the mover never owns an upper cell (`claimed` below), nor both singles of a pair, and a full board leaves
// the follower with everything claimed.
//
// T1  hold   If every line in what is left to the mover holds both singles of a pair, the mover cannot win.
// T2  last   If, besides, the follower's stones and claimed cells hold a line, the follower wins, at the
//            latest with the last stone.
// T3  claim  A claimed cell that wins for the follower, on row r: nothing above it is ever played, which
//            leaves the mover even less; and the board cannot fill without the mover playing below such a
//            cell. The follower wins with at most cells - H + r stones on the board.
// T4  odd    Let the number of empty cells be odd, and let the follower have a winning cell t that is not
//            playable and not a claim cell, in column X. From the cell below t upwards X is left alone; that
//            is an odd number of cells, so the rest has an even number and the lemma applies to it, with the
//            pairs of X counted down from t. The mover finally has to play below t.
//
// Proofs, and counts of positions on which each was checked: docs/theorems.md.
#pragma once

#include "solver/bounds.hpp"
#include "solver/lanes.hpp"

namespace claimeven {

namespace pairing {

template <class Shape>
constexpr typename Shape::Word sentinels(const Shape& shape) {
  return shape.bottom << shape.rows;
}

// The given cells and all above them.
template <class Shape, class W>
constexpr W and_above(const Shape& shape, W cells) {
  // Per column: 2^rows - 2^k sets the bits from k up; a higher cell only takes its own bit out.
  return ((sentinels(shape) - cells) | cells) & shape.full;
}

// All cells of the columns that hold one of the given cells.
template <class Shape, class W>
constexpr W whole_columns(const Shape& shape, W cells) {
  const W top = and_above(shape, cells) & (shape.bottom << (shape.rows - 1));
  return (top << 1) - (top >> (shape.rows - 1));
}

// Whether each line in `area` holds both cells of a pair, for one way to match the singles. A matching
// serves when no choice of one cell from every pair leaves a line in `area` without the chosen cells.
template <class Shape>
bool is_covered(const Shape& shape, typename Shape::Word area, typename Shape::Word singles) {
  using Word = typename Shape::Word;
  Word single[4];
  int count = 0;
  for (; singles; singles &= singles - 1) {
    if (count == 4) return false;  // six singles: 15 matchings, hardly ever worth it
    single[count++] = lowest_bit(singles);
  }
  if (count == 2) {
    return !has_four(shape, Word(area & ~single[0])) && !has_four(shape, Word(area & ~single[1]));
  }
  if (count != 4) return false;
  // Pairs of cells taken out, as lanes: 01 02 03 12 13 23.
  LanesOf<Word> areas{};
  int lane = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) areas[lane++] = area & ~(single[i] | single[j]);
  }
  const unsigned clear = zero_lanes(line_starts(shape, areas));
  constexpr unsigned k01 = 1, k02 = 2, k03 = 4, k12 = 8, k13 = 16, k23 = 32;
  const auto serves = [clear](unsigned choices) { return (clear & choices) == choices; };
  return serves(k02 | k03 | k12 | k13) || serves(k01 | k03 | k12 | k23) || serves(k01 | k02 | k13 | k23);
}

}  // namespace pairing

// Bounds for up to eight positions with the same number of stones; lanes that are not `wanted` stay open.
// `follower` are the stones of the side that has just moved, `wins` its winning cells.
// Only bounds of at most `useful` are looked for: the rest is left at kNoBound.
template <class Shape, class Lanes>
void pairing_bounds(const Shape& shape, const Lanes& follower, const Lanes& mask, const Lanes& wins,
                    const Lanes& landings, bool is_even, unsigned wanted, int useful, int (&bound)[kLanes]) {
  using Word = typename Shape::Word;
  const int rows = shape.rows;
  const Lanes claimed = shape.claim & ~shape.bottom & ~mask & ~(mask << 1);
  if (is_even) {
    if (useful < -(rows / 2)) return;  // the lowest claimed cell is on row 2 or 3
    const Lanes keys = wins & claimed;
    const Lanes left = shape.full & ~(follower | claimed | (pairing::and_above(shape, keys) << 1));
    const Lanes singles = landings & shape.claim;
    const unsigned clear = zero_lanes(line_starts(shape, left));
    unsigned maybe = wanted;
    if ((clear & wanted) != wanted) {
      maybe &= zero_lanes(line_starts(shape, Lanes(left & ~singles)));
    }
    if (!maybe) return;
    const unsigned no_last = useful < 0 ? zero_lanes(line_starts(shape, Lanes(follower | claimed))) : 0;
    for (; maybe; maybe &= maybe - 1) {
      const int i = std::countr_zero(maybe);
      int value = 0;
      if (Word key = keys[i]) {
        int lowest = rows;  // 1-based row of the lowest key
        for (; key; key &= key - 1) lowest = std::min(lowest, lowest_index(key) % (rows + 1) + 1);
        value = -((rows - lowest) / 2 + 1);
      } else if (useful < 0 && !(no_last >> i & 1)) {
        value = -1;
      }
      if (value > useful) continue;
      if ((clear >> i & 1) || pairing::is_covered(shape, Word(left[i]), Word(singles[i]))) bound[i] = value;
    }
    return;
  }
  if (useful < -(rows / 2)) return;
  Lanes keys = wins & ~shape.claim & ~landings;
  for (;;) {
    unsigned maybe = wanted & ~zero_lanes(keys);
    if (!maybe) return;
    const Lanes key = keys & (~keys + 1);
    keys = keys & ~key;
    const Lanes column = pairing::whole_columns(shape, key);
    const Lanes landing = landings & column;
    const Lanes above = (pairing::and_above(shape, key) << 1) & shape.full;
    const Lanes left =
        shape.full & ~(follower | (claimed & ~column) | (column & ~shape.claim & ~mask & ~landing) | above);
    const Lanes singles = (landings & ~column & shape.claim) | (landing & ~shape.claim);
    const unsigned clear = zero_lanes(line_starts(shape, left));
    if ((clear & maybe) != maybe) maybe &= zero_lanes(line_starts(shape, Lanes(left & ~singles)));
    for (; maybe; maybe &= maybe - 1) {
      const int i = std::countr_zero(maybe);
      const int row = lowest_index(Word(key[i])) % (rows + 1) + 1;
      const int value = -((rows - row + 1) / 2);
      if (value > useful || value >= bound[i]) continue;
      if ((clear >> i & 1) || pairing::is_covered(shape, Word(left[i]), Word(singles[i]))) bound[i] = value;
    }
  }
}

}  // namespace claimeven
