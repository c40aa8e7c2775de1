// Eight words side by side. The children of a node are examined together: one vector operation does for
// all of them what a scalar one does for a single child.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "board/board.hpp"

namespace claimeven {

inline constexpr int kLanes = 8;

// Lanes made of `kParts` smaller pieces, each a vector register or a word, with the operators of a word.
template <class Word, class Part>
struct SplitLanes {
  static constexpr int kParts = kLanes * sizeof(Word) / sizeof(Part);
  typedef Word Lane __attribute__((may_alias));

  Part part[kParts]{};

  Lane& operator[](int i) { return reinterpret_cast<Lane*>(part)[i]; }
  Word operator[](int i) const { return reinterpret_cast<const Lane*>(part)[i]; }

  template <class Operation>
  constexpr SplitLanes map(Operation operation) const {
    SplitLanes result;
    for (int i = 0; i < kParts; ++i) result.part[i] = operation(part[i], i);
    return result;
  }

  friend constexpr SplitLanes operator~(const SplitLanes& a) {
    return a.map([](Part part, int) { return ~part; });
  }
  friend constexpr SplitLanes operator<<(const SplitLanes& a, int shift) {
    return a.map([shift](Part part, int) { return part << shift; });
  }
  friend constexpr SplitLanes operator>>(const SplitLanes& a, int shift) {
    return a.map([shift](Part part, int) { return part >> shift; });
  }

#define CLAIMEVEN_LANES_OPERATOR(op)                                                  \
  friend constexpr SplitLanes operator op(const SplitLanes& a, const SplitLanes& b) { \
    return a.map([&b](Part part, int i) { return part op b.part[i]; });               \
  }                                                                                   \
  friend constexpr SplitLanes operator op(const SplitLanes& a, Word b) {              \
    return a.map([b](Part part, int) { return part op b; });                          \
  }                                                                                   \
  friend constexpr SplitLanes operator op(Word a, const SplitLanes& b) {              \
    return b.map([a](Part part, int) { return a op part; });                          \
  }
  CLAIMEVEN_LANES_OPERATOR(&)
  CLAIMEVEN_LANES_OPERATOR(|)
  CLAIMEVEN_LANES_OPERATOR(^)
  CLAIMEVEN_LANES_OPERATOR(+)
  CLAIMEVEN_LANES_OPERATOR(-)
  CLAIMEVEN_LANES_OPERATOR(*)
#undef CLAIMEVEN_LANES_OPERATOR

  friend constexpr SplitLanes& operator|=(SplitLanes& a, const SplitLanes& b) { return a = a | b; }
  friend constexpr SplitLanes& operator&=(SplitLanes& a, const SplitLanes& b) { return a = a & b; }
};

// One AVX-512 register, two of AVX2, or four of SSE2. (Left to itself, the compiler splits a vector that is
// too long for the processor into single words.)
#if defined(__AVX512F__)
using Lanes64 = Word64 __attribute__((vector_size(64)));
#elif defined(__AVX2__)
using Lanes64 = SplitLanes<Word64, Word64 __attribute__((vector_size(32)))>;
#else
using Lanes64 = SplitLanes<Word64, Word64 __attribute__((vector_size(16)))>;
#endif

// 128-bit words have no vector unit: one after the other.
using Lanes128 = SplitLanes<Word128, Word128>;

template <class Word>
using LanesOf = std::conditional_t<sizeof(Word) == sizeof(Word64), Lanes64, Lanes128>;

// Bit i is set when lane i is zero.
inline unsigned zero_lanes(const Lanes64& lanes) {
#if defined(__AVX512F__)
  const auto vector = reinterpret_cast<__m512i>(lanes);
  return _mm512_testn_epi64_mask(vector, vector);
#elif defined(__AVX2__)
  const auto zeros = [&lanes](int half) {
    const __m256i equal =
        _mm256_cmpeq_epi64(reinterpret_cast<__m256i>(lanes.part[half]), _mm256_setzero_si256());
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
  };
  return zeros(0) | zeros(1) << 4;
#elif defined(__wasm_simd128__)
  const auto zeros = [&lanes](int part) {
    const v128_t equal = wasm_i64x2_eq(reinterpret_cast<v128_t>(lanes.part[part]), wasm_i64x2_const_splat(0));
    return static_cast<unsigned>(wasm_i64x2_bitmask(equal));
  };
  return zeros(0) | zeros(1) << 2 | zeros(2) << 4 | zeros(3) << 6;
#else
  unsigned zeros = 0;
  for (int i = 0; i < kLanes; ++i) zeros |= static_cast<unsigned>(lanes[i] == 0) << i;
  return zeros;
#endif
}
inline unsigned zero_lanes(const Lanes128& lanes) {
  unsigned zeros = 0;
  for (int i = 0; i < kLanes; ++i) zeros |= static_cast<unsigned>(lanes[i] == 0) << i;
  return zeros;
}

// Lane by lane: `yes` where `condition` is zero, `no` elsewhere.
template <class Word, class Part>
inline SplitLanes<Word, Part> where_zero(const SplitLanes<Word, Part>& condition,
                                         const SplitLanes<Word, Part>& yes,
                                         const SplitLanes<Word, Part>& no) {
  return yes.map([&](Part part, int i) { return condition.part[i] == 0 ? part : no.part[i]; });
}

template <class Word, class Part>
inline SplitLanes<Word, Part> smaller_of(const SplitLanes<Word, Part>& a, const SplitLanes<Word, Part>& b) {
#if defined(__wasm_simd128__)
  // There are only comparisons of signed words: turning the sign round makes them those of unsigned ones.
  if constexpr (sizeof(Word) == sizeof(Word64)) {
    constexpr Word kSign = Word{1} << 63;
    using Signed = std::int64_t __attribute__((vector_size(sizeof(Part))));
    return a.map([&](Part part, int i) {
      const auto is_less =
          reinterpret_cast<Signed>(part ^ kSign) < reinterpret_cast<Signed>(b.part[i] ^ kSign);
      return is_less ? part : b.part[i];
    });
  }
#endif
  return a.map([&](Part part, int i) { return part < b.part[i] ? part : b.part[i]; });
}

#if defined(__AVX512F__)
inline Lanes64 where_zero(const Lanes64& condition, const Lanes64& yes, const Lanes64& no) {
  return condition == 0 ? yes : no;
}
inline Lanes64 smaller_of(const Lanes64& a, const Lanes64& b) { return a < b ? a : b; }
#endif

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
