// Weights of the evaluator as a row of numbers, which every language can hand over.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "agents/evaluate.hpp"

namespace claimeven {

// Reads weights from a row of numbers; lists come with their length before them.
class Numbers {
 public:
  explicit Numbers(std::span<const double> numbers) : numbers_(numbers) {}

  double next() {
    if (numbers_.empty()) throw std::invalid_argument("too few numbers");
    const double number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    return number;
  }
  std::int64_t whole() { return static_cast<std::int64_t>(next()); }
  std::vector<std::int64_t> list() {
    std::vector<std::int64_t> list(static_cast<std::size_t>(std::clamp(next(), 0.0, 1000.0)));
    for (auto& number : list) number = whole();
    return list;
  }
  std::array<std::int64_t, 2> pair() {
    const std::int64_t own = whole();
    return {own, whole()};
  }

 private:
  std::span<const double> numbers_;
};

// In the order of the members, all but the seed.
inline Weights weights_of(std::span<const double> row, std::uint64_t seed) {
  Numbers numbers(row);
  Weights weights;
  for (auto& side : weights.windows) side = numbers.list();
  for (auto& side : weights.runs) side = numbers.list();
  weights.threats = static_cast<Weights::Threats>(numbers.whole());
  weights.vertical = static_cast<Weights::Vertical>(numbers.whole());
  weights.center = numbers.pair();
  weights.height = numbers.pair();
  weights.drop = numbers.pair();
  weights.drop_windows = static_cast<Weights::Drop>(numbers.whole());
  weights.parity = numbers.pair();
  weights.zugzwang = numbers.pair();
  weights.noise = numbers.next();
  for (auto& chance : weights.miss) chance = numbers.next();
  weights.seed = seed;
  return weights;
}

}  // namespace claimeven
