// Eight words side by side. The children of a node are examined together: one vector operation does for
// all of them what a scalar one does for a single child.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "board.hpp"

namespace claimeven {

inline constexpr int kLanes = 8;

// GCC and Clang lower this to whatever the processor has: one AVX-512 register, two of AVX2, four of SSE2.
using Lanes64 = Word64 __attribute__((vector_size(kLanes * sizeof(Word64))));

// 128-bit words have no vector unit: plain loops with the same operators.
struct Lanes128 {
  Word128 word[kLanes]{};

  constexpr Word128& operator[](int i) { return word[i]; }
  constexpr Word128 operator[](int i) const { return word[i]; }

  template <class Operation>
  constexpr Lanes128 map(Operation operation) const {
    Lanes128 result;
    for (int i = 0; i < kLanes; ++i) result.word[i] = operation(word[i], i);
    return result;
  }
};

#define CLAIMEVEN_LANES_OPERATOR(op)                                       \
  constexpr Lanes128 operator op(const Lanes128& a, const Lanes128& b) {   \
    return a.map([&b](Word128 word, int i) { return word op b.word[i]; }); \
  }                                                                        \
  constexpr Lanes128 operator op(const Lanes128& a, Word128 b) {           \
    return a.map([b](Word128 word, int) { return word op b; });            \
  }                                                                        \
  constexpr Lanes128 operator op(Word128 a, const Lanes128& b) {           \
    return b.map([a](Word128 word, int) { return a op word; });            \
  }
CLAIMEVEN_LANES_OPERATOR(&)
CLAIMEVEN_LANES_OPERATOR(|)
CLAIMEVEN_LANES_OPERATOR(^)
CLAIMEVEN_LANES_OPERATOR(+)
CLAIMEVEN_LANES_OPERATOR(-)
#undef CLAIMEVEN_LANES_OPERATOR

constexpr Lanes128 operator~(const Lanes128& a) {
  return a.map([](Word128 word, int) { return ~word; });
}
constexpr Lanes128 operator<<(const Lanes128& a, int shift) {
  return a.map([shift](Word128 word, int) { return word << shift; });
}
constexpr Lanes128 operator>>(const Lanes128& a, int shift) {
  return a.map([shift](Word128 word, int) { return word >> shift; });
}
constexpr Lanes128& operator|=(Lanes128& a, const Lanes128& b) { return a = a | b; }
constexpr Lanes128& operator&=(Lanes128& a, const Lanes128& b) { return a = a & b; }

template <class Word>
using LanesOf = std::conditional_t<sizeof(Word) == sizeof(Word64), Lanes64, Lanes128>;

// Bit i is set when lane i is zero.
template <class Lanes>
inline unsigned zero_lanes(const Lanes& lanes) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Lanes, Lanes64>) {
    const auto vector = reinterpret_cast<__m512i>(lanes);
    return _mm512_testn_epi64_mask(vector, vector);
  }
#endif
  unsigned zeros = 0;
  for (int i = 0; i < kLanes; ++i) zeros |= static_cast<unsigned>(lanes[i] == 0) << i;
  return zeros;
}

// Lane by lane: `yes` where `condition` is zero, `no` elsewhere.
template <class Lanes>
inline Lanes where_zero(const Lanes& condition, const Lanes& yes, const Lanes& no) {
  if constexpr (std::is_same_v<Lanes, Lanes64>) {
    return condition == 0 ? yes : no;
  } else {
    Lanes result;
    for (int i = 0; i < kLanes; ++i) result[i] = condition[i] == 0 ? yes[i] : no[i];
    return result;
  }
}

template <class Lanes>
inline Lanes smaller_of(const Lanes& a, const Lanes& b) {
  if constexpr (std::is_same_v<Lanes, Lanes64>) {
    return a < b ? a : b;
  } else {
    Lanes result;
    for (int i = 0; i < kLanes; ++i) result[i] = a[i] < b[i] ? a[i] : b[i];
    return result;
  }
}

template <class Lanes>
inline Lanes64 popcounts(const Lanes& lanes) {
#if defined(__AVX512VPOPCNTDQ__)
  if constexpr (std::is_same_v<Lanes, Lanes64>) {
    return reinterpret_cast<Lanes64>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(lanes)));
  }
#endif
  Lanes64 counts{};
  for (int i = 0; i < kLanes; ++i) counts[i] = static_cast<Word64>(popcount(lanes[i]));
  return counts;
}

}  // namespace claimeven
