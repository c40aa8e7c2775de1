// The engine as a C library, for programs without this package: what `claimeven export` embeds.
//
// A position is four words: the low and high halves of `mine` and of `mask` (the layout is drawn in
// position.py). Functions return 0, or -1 for input they refuse; nothing is thrown across this door.
// Results are arrays with one element per column.
#pragma once

#include <algorithm>
#include <cstdint>

#include "board/board.hpp"

#define CLAIMEVEN_EXPORTED extern "C" __attribute__((visibility("default")))

namespace claimeven {

struct Words {
  std::uint64_t mine_low, mine_high, mask_low, mask_high;
};

// Calls `action(shape, stones)` for a position that is not over; -1 when there is no such position.
template <class Action>
int with_position(int columns, int rows, int connect, const Words& words, Action&& action) try {
  constexpr int kBits = 128;
  if (columns < 1 || rows < 1 || connect < 1 || columns > kMaxColumns || rows >= kBits ||
      columns * (rows + 1) > kBits) {
    return -1;
  }
  const Word128 mine = static_cast<Word128>(words.mine_high) << 64 | words.mine_low;
  const Word128 mask = static_cast<Word128>(words.mask_high) << 64 | words.mask_low;
  return with_shape(columns, rows, std::min(connect, std::max(columns, rows) + 1), [&](auto shape) {
    using Word = typename decltype(shape)::Word;
    const Stones<decltype(shape)> stones{static_cast<Word>(mine), static_cast<Word>(mask)};
    const bool is_outside = mask & ~static_cast<Word128>(shape.full);
    const bool is_floating = stones.mask & ~(stones.mask << 1 | shape.bottom);
    if (is_outside || is_floating || (mine & ~mask) || stones.mask == shape.full) return -1;
    if (has_line(shape, stones.mine) || stones.is_won(shape)) return -1;
    action(shape, stones);
    return 0;
  });
} catch (...) {
  return -1;
}

}  // namespace claimeven
