// The engine as a C library, for programs without this package: what `claimeven export` embeds.
//
// A position is four words: the low and high halves of `mine` and of `mask` (the layout is drawn in
// position.py). Functions return 0, or -1 for input they refuse; nothing is thrown across this door.
// Results are arrays with one element per column.
#pragma once

#include <cstdint>

#include "board/checked.hpp"

#define CLAIMEVEN_EXPORTED extern "C" __attribute__((visibility("default")))

namespace claimeven {

struct Words {
  std::uint64_t mine_low, mine_high, mask_low, mask_high;
};

// Calls `action(shape, stones)` for a position that is not over; -1 when there is no such position.
template <class Action>
int with_position(int columns, int rows, int connect, const Words& words, Action&& action) try {
  const Word128 mine = static_cast<Word128>(words.mine_high) << 64 | words.mine_low;
  const Word128 mask = static_cast<Word128>(words.mask_high) << 64 | words.mask_low;
  with_checked_shape(columns, rows, connect, [&](auto shape) {
    const auto stones = checked_stones(shape, mine, mask);
    check_to_move(shape, stones);
    action(shape, stones);
  });
  return 0;
} catch (...) {
  return -1;
}

}  // namespace claimeven
