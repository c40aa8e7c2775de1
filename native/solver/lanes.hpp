// Eight words side by side. The children of a node are examined together: one vector operation does for
// all of them what a scalar one does for a single child.
#pragma once

#if defined(__SSE2__)
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
template <class Half>
struct Halves {
  Half low, high;

  // One lane, to be read or written.
  struct Lane {
    Halves& lanes;
    int i;
    operator Word128() const { return std::as_const(lanes)[i]; }
    void operator=(Word128 word) const {
      lanes.low[i] = static_cast<Word64>(word);
      lanes.high[i] = static_cast<Word64>(word >> 64);
    }
  };
  Lane operator[](int i) { return {*this, i}; }
  Word128 operator[](int i) const { return static_cast<Word128>(high[i]) << 64 | low[i]; }

  friend Halves operator~(const Halves& a) { return {~a.low, ~a.high}; }
  // What leaves one half enters the other. No shift of a half may be by all 64 bits.
  [[gnu::always_inline]] friend Halves operator<<(const Halves& a, int shift) {
    if (shift > 0 && shift < 64) return {a.low << shift, a.high << shift | a.low >> (64 - shift)};
    return shift == 0 ? a : Halves{Half{}, a.low << (shift - 64)};
  }
  [[gnu::always_inline]] friend Halves operator>>(const Halves& a, int shift) {
    if (shift > 0 && shift < 64) return {a.low >> shift | a.high << (64 - shift), a.high >> shift};
    return shift == 0 ? a : Halves{a.high >> (shift - 64), Half{}};
  }

#define CLAIMEVEN_LANES_OPERATOR(op)                                                                         \
  friend Halves operator op(const Halves& a, const Halves& b) { return {a.low op b.low, a.high op b.high}; } \
  friend Halves operator op(const Halves& a, Word128 b) {                                                    \
    return {a.low op static_cast<Word64>(b), a.high op static_cast<Word64>(b >> 64)};                        \
  }                                                                                                          \
  friend Halves operator op(Word128 a, const Halves& b) { return b op a; }
  CLAIMEVEN_LANES_OPERATOR(&)
  CLAIMEVEN_LANES_OPERATOR(|)
  CLAIMEVEN_LANES_OPERATOR(^)
#undef CLAIMEVEN_LANES_OPERATOR

  friend Halves& operator|=(Halves& a, const Halves& b) { return a = a | b; }
  friend Halves& operator&=(Halves& a, const Halves& b) { return a = a & b; }

  // Sums carry from the lower half to the upper one, differences borrow; both are told by the highest bits.
  template <class Other>
  friend Halves operator+(const Halves& a, const Other& b) {
    const Halves other = all(b);
    const Half low = a.low + other.low;
    return {low, a.high + other.high + (((a.low & other.low) | ((a.low | other.low) & ~low)) >> 63)};
  }
  template <class Other>
  friend Halves operator-(const Halves& a, const Other& b) {
    return difference(a, all(b));
  }
  friend Halves operator-(Word128 a, const Halves& b) { return difference(all(a), b); }

 private:
  static const Halves& all(const Halves& lanes) { return lanes; }
  static Halves all(Word128 word) { return Halves{} | word; }
  static Halves difference(const Halves& a, const Halves& b) {
    const Half low = a.low - b.low;
    return {low, a.high - b.high - (((~a.low & b.low) | ((~a.low | b.low) & low)) >> 63)};
  }
};
using Lanes128 = Halves<Lanes64>;

template <class Word>
using LanesOf = std::conditional_t<sizeof(Word) == sizeof(Word64), Lanes64, Lanes128>;

// Where lanes take several registers, what works on them at length does so part by part: on all at once,
// there would not be enough registers.
#if !defined(__AVX512F__)
template <class Operation, class... Lanes>
inline Lanes64 part_by_part(Operation operation, const Lanes64& first, const Lanes&... others) {
  return first.map([&](auto part, [[maybe_unused]] int i) { return operation(part, others.part[i]...); });
}
template <class Operation, class... Lanes>
inline Lanes128 part_by_part(Operation operation, const Lanes128& first, const Lanes&... others) {
  using Part = Halves<std::decay_t<decltype(first.low.part[0])>>;
  Lanes128 result;
  for (int i = 0; i < Lanes64::kParts; ++i) {
    const Part part = operation(Part{first.low.part[i], first.high.part[i]},
                                Part{others.low.part[i], others.high.part[i]}...);
    result.low.part[i] = part.low;
    result.high.part[i] = part.high;
  }
  return result;
}

template <class Shape>
inline Lanes64 line_starts(const Shape& shape, const Lanes64& stones) {
  return part_by_part([&shape](auto part) { return line_starts(shape, part); }, stones);
}
template <class Shape>
inline Lanes128 line_starts(const Shape& shape, const Lanes128& stones) {
  return part_by_part([&shape](auto part) { return line_starts(shape, part); }, stones);
}
template <class Shape>
inline Lanes64 winning_cells(const Shape& shape, const Lanes64& stones, const Lanes64& mask) {
  const auto wins = [&shape](auto part, auto part_of_mask) {
    return winning_cells(shape, part, part_of_mask);
  };
  return part_by_part(wins, stones, mask);
}
template <class Shape>
inline Lanes128 winning_cells(const Shape& shape, const Lanes128& stones, const Lanes128& mask) {
  const auto wins = [&shape](auto part, auto part_of_mask) {
    return winning_cells(shape, part, part_of_mask);
  };
  return part_by_part(wins, stones, mask);
}
#endif

// The lanes, filled one after the other from registers: a vector that is loaded just after its lanes were
// stored one by one has to wait for them.
template <class Next>
inline Lanes64 filled(Next next) {
#if defined(__AVX512F__)
  return Lanes64{next(), next(), next(), next(), next(), next(), next(), next()};
#elif defined(__AVX2__)
  using Part = Word64 __attribute__((vector_size(32)));
  Lanes64 lanes;
  for (Part& part : lanes.part) part = Part{next(), next(), next(), next()};
  return lanes;
#else
  using Part = Word64 __attribute__((vector_size(16)));
  Lanes64 lanes;
  for (Part& part : lanes.part) part = Part{next(), next()};
  return lanes;
#endif
}

// The lowest bits of a word, one in each lane, which are taken out of it.
inline Lanes64 lowest_bits(Word64& word) {
  return filled([&word] {
    const Word64 bit = lowest_bit(word);
    word ^= bit;
    return bit;
  });
}
inline Lanes128 lowest_bits(Word128& word) {
  auto low = static_cast<Word64>(word), high = static_cast<Word64>(word >> 64);
  int skipped = std::popcount(low);
  Lanes128 bits;
  bits.low = lowest_bits(low);
  bits.high = filled([&high, &skipped] {
    const Word64 bit = skipped-- > 0 ? 0 : lowest_bit(high);
    high ^= bit;
    return bit;
  });
  word = static_cast<Word128>(high) << 64 | low;
  return bits;
}

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
#elif defined(__SSE2__)
  // There are only comparisons of half words: the lower and the upper ones of four lanes are put together.
  const auto zeros = [&lanes](int half) {
    const auto a = reinterpret_cast<__m128>(lanes.part[2 * half]);
    const auto b = reinterpret_cast<__m128>(lanes.part[2 * half + 1]);
    const __m128i lower = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i upper = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128i equal = _mm_cmpeq_epi32(_mm_or_si128(lower, upper), _mm_setzero_si128());
    return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(equal)));
  };
  return zeros(0) | zeros(1) << 4;
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
  const Lanes64 none = where_zero(Lanes64(condition.low | condition.high), ~Lanes64{}, Lanes64{});
  return {(yes.low & none) | (no.low & ~none), (yes.high & none) | (no.high & ~none)};
}
// Only near the root: no need for vectors.
inline Lanes128 smaller_of(const Lanes128& a, const Lanes128& b) {
  Lanes128 smaller;
  for (int i = 0; i < kLanes; ++i) smaller[i] = std::min(a[i], b[i]);
  return smaller;
}

#if defined(__SSE2__) && !defined(__POPCNT__)
// For processors that cannot count the bits of a word: those of every byte, of two lanes.
inline __m128i byte_counts(const Lanes64& lanes, int i) {
  auto part = lanes.part[i];
  part -= part >> 1 & 0x5555555555555555;
  part = (part & 0x3333333333333333) + (part >> 2 & 0x3333333333333333);
  return reinterpret_cast<__m128i>((part + (part >> 4)) & 0x0f0f0f0f0f0f0f0f);
}
inline __m128i byte_counts(const Lanes128& lanes, int i) {
  return _mm_add_epi8(byte_counts(lanes.low, i), byte_counts(lanes.high, i));
}

// The numbers of bits in four words, each times its weight; for two lanes.
template <class Lanes>
inline __m128i weighted_counts(const Lanes (&words)[4], const short (&weights)[4], int i) {
  const auto counts = [&words, i](int word) {
    return _mm_slli_epi64(_mm_sad_epu8(byte_counts(words[word], i), _mm_setzero_si128()), 16 * word);
  };
  const __m128i all = _mm_or_si128(_mm_or_si128(counts(0), counts(1)), _mm_or_si128(counts(2), counts(3)));
  const auto [a, b, c, d] = weights;
  const __m128i sums = _mm_madd_epi16(all, _mm_set_epi16(d, c, b, a, d, c, b, a));
  return _mm_add_epi32(sums, _mm_srli_epi64(sums, 32));
}
#endif

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
