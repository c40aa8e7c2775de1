#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "board/count.hpp"
#include "python/bind.hpp"

namespace claimeven {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{2} << 30;  // 7x6x4 comes to ply 14 with it

auto count_sequences(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, int depth) {
  if (depth < 0 || depth > kBits) throw std::invalid_argument("depth must be 0 to 128");
  return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
    const WithoutGil release;
    const auto count = perft(shape, stones, depth, check_signals);
    return std::tuple(count.all, count.won);
  });
}

auto count_distinct(int columns, int rows, int connect, int last_ply) {
  if (last_ply < 0 || last_ply > kBits) throw std::invalid_argument("last_ply must be 0 to 128");
  return with_checked_shape(columns, rows, connect, [&](auto shape) {
    const WithoutGil release;
    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> plies;
    for (const auto& count : count_positions(shape, last_ply, kMaxBytes, check_signals)) {
      plies.emplace_back(count.all, count.won, count.canonical, count.unforced_canonical);
    }
    return plies;
  });
}

}  // namespace

void bind_count(nb::module_& module) {
  module.def("perft", &count_sequences, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("mine"), nb::arg("mask"), nb::arg("depth"),
             "Move sequences of exactly `depth` moves: (all, those whose last move wins).");
  module.def("count_positions", &count_distinct, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("last_ply"),
             "For every ply: distinct positions (all, won, up to mirror, up to mirror with no win at hand).");
}

}  // namespace claimeven
