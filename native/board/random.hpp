// Random numbers: small, fast, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace claimeven {

// The finalizer of SplitMix64: spreads every bit of a word over the whole word.
constexpr std::uint64_t scrambled(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

// SplitMix64 (Steele, Lea, Flood 2014): a counter, scrambled.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return scrambled(state_ += 0x9e3779b97f4a7c15u); }

  // A number from 0 to count - 1. The bias, count / 2^32, cannot be seen at the counts of this game.
  constexpr std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }

 private:
  std::uint64_t state_;
};

// A number between 0 and 1, neither included.
inline double unit(std::uint64_t word) { return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53; }

// A normally distributed number that belongs to this word (Box and Muller).
inline double normal(std::uint64_t word) {
  return std::sqrt(-2 * std::log(unit(word))) * std::cos(2 * std::numbers::pi * unit(scrambled(~word)));
}

}  // namespace claimeven
