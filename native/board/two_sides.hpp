// Two words side by side, one per side of the game: one operation does for both what a scalar one does
// for each.
#pragma once

#include <type_traits>

#include "board/board.hpp"

namespace claimeven {

// GCC and Clang put this in one register of SSE2 or NEON.
using Pair64 = Word64 __attribute__((vector_size(16)));

// 128-bit words have no vector unit: the same operators, twice.
struct Pair128 {
  Word128 word[2];

  constexpr Word128 operator[](int side) const { return word[side]; }

  friend constexpr Pair128 operator&(Pair128 a, Pair128 b) { return {a[0] & b[0], a[1] & b[1]}; }
  friend constexpr Pair128 operator|(Pair128 a, Pair128 b) { return {a[0] | b[0], a[1] | b[1]}; }
  friend constexpr Pair128 operator^(Pair128 a, Pair128 b) { return {a[0] ^ b[0], a[1] ^ b[1]}; }
  friend constexpr Pair128 operator~(Pair128 a) { return {~a[0], ~a[1]}; }
  friend constexpr Pair128 operator<<(Pair128 a, int by) { return {a[0] << by, a[1] << by}; }
  friend constexpr Pair128 operator>>(Pair128 a, int by) { return {a[0] >> by, a[1] >> by}; }
  constexpr Pair128& operator&=(Pair128 b) { return *this = *this & b; }
  constexpr Pair128& operator|=(Pair128 b) { return *this = *this | b; }
  constexpr Pair128& operator^=(Pair128 b) { return *this = *this ^ b; }
};

template <class Word>
using PairOf = std::conditional_t<sizeof(Word) == sizeof(Word64), Pair64, Pair128>;

template <class Word>
constexpr PairOf<Word> both(Word word) {
  return PairOf<Word>{word, word};
}

inline Pair64 swapped(Pair64 pair) { return __builtin_shufflevector(pair, pair, 1, 0); }
constexpr Pair128 swapped(Pair128 pair) { return {pair[1], pair[0]}; }

}  // namespace claimeven
