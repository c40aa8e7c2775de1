// Arrays that come from Python and go back to it as bytes.
#pragma once

#include <cstring>
#include <vector>

#include "python/bind.hpp"

namespace claimeven {

// Positions as two arrays of 64-bit words.
template <class Shape>
auto positions_of(const Shape& shape, const nb::bytes& mine, const nb::bytes& mask) {
  if (mine.size() != mask.size() || mine.size() % sizeof(Word64))
    throw std::invalid_argument("mine and mask must be arrays of the same length");
  std::vector<decltype(checked_stones(shape, Word64{}, Word64{}))> positions(mine.size() / sizeof(Word64));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Word64 words[2];
    std::memcpy(&words[0], mine.c_str() + i * sizeof(Word64), sizeof(Word64));
    std::memcpy(&words[1], mask.c_str() + i * sizeof(Word64), sizeof(Word64));
    positions[i] = checked_stones(shape, words[0], words[1]);
  }
  return positions;
}

}  // namespace claimeven
