// Eight words side by side. The children of a node are examined together: one vector operation does for
// all of them what a scalar one does for a single child.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include <algorithm>
#include <utility>

#include "board/board.hpp"

namespace claimeven {

inline constexpr int kLanes = 8;

// Lanes made of `kParts` smaller pieces, each a vector register or a word, with the operators of a word.
template <class Word, class Part>
struct SplitLanes {
  static constexpr int kParts = kLanes * sizeof(Word) / sizeof(Part);
  typedef Word Lane __attribute__((may_alias));

  Part part[kParts];

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

// 128-bit words: the lower halves of all lanes beside each other, and the upper ones.
struct Lanes128 {
  Lanes64 low, high;

  // One lane, to be read or written.
  struct Lane {
    Lanes128& lanes;
    int i;
    operator Word128() const { return std::as_const(lanes)[i]; }
    void operator=(Word128 word) const {
      lanes.low[i] = static_cast<Word64>(word);
      lanes.high[i] = static_cast<Word64>(word >> 64);
    }
  };
  Lane operator[](int i) { return {*this, i}; }
  Word128 operator[](int i) const { return static_cast<Word128>(high[i]) << 64 | low[i]; }

  friend Lanes128 operator~(const Lanes128& a) { return {~a.low, ~a.high}; }
  // What leaves one half enters the other; in two steps, because no shift may be by all 64 bits.
  friend Lanes128 operator<<(const Lanes128& a, int shift) {
    if (shift >= 64) return {Lanes64{}, a.low << (shift - 64)};
    return {a.low << shift, a.high << shift | (a.low >> 1) >> (63 - shift)};
  }
  friend Lanes128 operator>>(const Lanes128& a, int shift) {
    if (shift >= 64) return {a.high >> (shift - 64), Lanes64{}};
    return {a.low >> shift | (a.high << 1) << (63 - shift), a.high >> shift};
  }

#define CLAIMEVEN_LANES_OPERATOR(op)                                                  \
  friend Lanes128 operator op(const Lanes128& a, const Lanes128& b) {                 \
    return {a.low op b.low, a.high op b.high};                                        \
  }                                                                                   \
  friend Lanes128 operator op(const Lanes128& a, Word128 b) {                         \
    return {a.low op static_cast<Word64>(b), a.high op static_cast<Word64>(b >> 64)}; \
  }                                                                                   \
  friend Lanes128 operator op(Word128 a, const Lanes128& b) { return b op a; }
  CLAIMEVEN_LANES_OPERATOR(&)
  CLAIMEVEN_LANES_OPERATOR(|)
  CLAIMEVEN_LANES_OPERATOR(^)
#undef CLAIMEVEN_LANES_OPERATOR

  friend Lanes128& operator|=(Lanes128& a, const Lanes128& b) { return a = a | b; }
  friend Lanes128& operator&=(Lanes128& a, const Lanes128& b) { return a = a & b; }

  // Sums carry from the lower half to the upper one, differences borrow; both are told by the highest bits.
  template <class Other>
  friend Lanes128 operator+(const Lanes128& a, const Other& b) {
    const Lanes128 other = all(b);
    const Lanes64 low = a.low + other.low;
    return {low, a.high + other.high + (((a.low & other.low) | ((a.low | other.low) & ~low)) >> 63)};
  }
  template <class Other>
  friend Lanes128 operator-(const Lanes128& a, const Other& b) {
    return difference(a, all(b));
  }
  friend Lanes128 operator-(Word128 a, const Lanes128& b) { return difference(all(a), b); }

 private:
  static const Lanes128& all(const Lanes128& lanes) { return lanes; }
  static Lanes128 all(Word128 word) { return Lanes128{} | word; }
  static Lanes128 difference(const Lanes128& a, const Lanes128& b) {
    const Lanes64 low = a.low - b.low;
    return {low, a.high - b.high - (((~a.low & b.low) | ((~a.low | b.low) & low)) >> 63)};
  }
};

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
inline unsigned zero_lanes(const Lanes128& lanes) { return zero_lanes(Lanes64(lanes.low | lanes.high)); }

#if defined(__AVX2__)
// Bit 2i is set when lanes 2i and 2i + 1, xored with each other, are `word`.
inline unsigned equal_pairs(const Lanes64& lanes, Word64 word) {
#if defined(__AVX512F__)
  const Lanes64 beside = __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6);
#else
  const Lanes64 beside =
      lanes.map([](auto part, int) { return __builtin_shufflevector(part, part, 1, 0, 3, 2); });
#endif
  return zero_lanes(Lanes64(lanes ^ beside ^ word)) & 0x55;
}
#endif

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
  constexpr Word kSign = Word{1} << 63;
  using Signed = std::int64_t __attribute__((vector_size(sizeof(Part))));
  return a.map([&](Part part, int i) {
    const auto is_less = reinterpret_cast<Signed>(part ^ kSign) < reinterpret_cast<Signed>(b.part[i] ^ kSign);
    return is_less ? part : b.part[i];
  });
#else
  return a.map([&](Part part, int i) { return part < b.part[i] ? part : b.part[i]; });
#endif
}

#if defined(__AVX512F__)
inline Lanes64 where_zero(const Lanes64& condition, const Lanes64& yes, const Lanes64& no) {
  return condition == 0 ? yes : no;
}
inline Lanes64 smaller_of(const Lanes64& a, const Lanes64& b) { return a < b ? a : b; }
#endif

inline Lanes128 where_zero(const Lanes128& condition, const Lanes128& yes, const Lanes128& no) {
  const Lanes64 either = condition.low | condition.high;
  return {where_zero(either, yes.low, no.low), where_zero(either, yes.high, no.high)};
}
// Only near the root: no need for vectors.
inline Lanes128 smaller_of(const Lanes128& a, const Lanes128& b) {
  Lanes128 smaller;
  for (int i = 0; i < kLanes; ++i) smaller[i] = std::min(a[i], b[i]);
  return smaller;
}

inline Lanes64 popcounts(const Lanes64& lanes) {
#if defined(__AVX512VPOPCNTDQ__)
  return reinterpret_cast<Lanes64>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(lanes)));
#else
  Lanes64 counts;
  for (int i = 0; i < kLanes; ++i) counts[i] = static_cast<Word64>(popcount(lanes[i]));
  return counts;
#endif
}
inline Lanes64 popcounts(const Lanes128& lanes) { return popcounts(lanes.low) + popcounts(lanes.high); }

}  // namespace claimeven
