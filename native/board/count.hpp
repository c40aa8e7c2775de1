// Counting: move sequences (perft) and distinct positions per ply. These numbers pin the rules of
// this core to those of position.py and to the published tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "board/board.hpp"

namespace claimeven {

// Called now and then during a long count; throws to abandon it.
using Heartbeat = std::function<void()>;

struct Sequences {
  std::uint64_t all = 0;  // of exactly `depth` moves
  std::uint64_t won = 0;  // whose last move completes a line
};

namespace detail {

// Leaves below a position that is not over. The last ply is counted in bulk: its moves are the open
// columns, its wins the open columns whose landing cell is a winning cell.
template <class Shape>
void add_sequences(const Shape& shape, const Stones<Shape>& stones, int depth, Sequences& total,
                   const Heartbeat& heartbeat) {
  const auto landings = landing_cells(shape, stones.mask);
  const auto wins = landings & winning_cells(shape, stones.mine, stones.mask);
  if (depth == 1) {
    total.all += static_cast<std::uint64_t>(popcount(landings));
    total.won += static_cast<std::uint64_t>(popcount(wins));
    return;
  }
  if (depth == 7) heartbeat();
  for (auto left = landings & ~wins; left; left &= left - 1) {
    add_sequences(shape, stones.play(lowest_bit(left)), depth - 1, total, heartbeat);
  }
}

}  // namespace detail

// Sequences of exactly `depth` moves from `stones`; a finished game has no continuation.
template <class Shape>
Sequences perft(const Shape& shape, const Stones<Shape>& stones, int depth, const Heartbeat& heartbeat) {
  Sequences total;
  if (depth == 0) {
    total.all = 1;
    total.won = stones.is_won(shape) ? 1 : 0;
  } else if (!stones.is_won(shape)) {
    detail::add_sequences(shape, stones, depth, total, heartbeat);
  }
  return total;
}

struct Positions {
  std::uint64_t all = 0;        // distinct positions of this ply
  std::uint64_t won = 0;        // of these, with a complete line on the board
  std::uint64_t canonical = 0;  // up to left-right reflection
  // Not over, and nobody could complete a line with his next stone; up to reflection.
  std::uint64_t unforced_canonical = 0;
};

// Distinct positions at every ply from 0 to `last_ply`, breadth first. Only one of each mirror pair
// is kept: children are folded onto their canonical form. Refuses to hold more than `max_bytes` of them.
template <class Shape>
std::vector<Positions> count_positions(const Shape& shape, int last_ply, std::size_t max_bytes,
                                       const Heartbeat& heartbeat) {
  const std::size_t most = max_bytes / sizeof(Stones<Shape>);
  std::vector<Positions> counts;
  std::vector<Stones<Shape>> layer = {{}};
  for (int ply = 0; ply <= last_ply && !layer.empty(); ++ply) {
    Positions count;
    std::vector<Stones<Shape>> next;
    std::uint64_t seen = 0;
    for (const auto& stones : layer) {
      if ((++seen & 0xffff) == 0) heartbeat();
      const auto mirrored = mirror(shape, stones);
      count.all += (mirrored.key() == stones.key()) ? 1 : 2;
      count.canonical += 1;
      if (stones.is_won(shape)) {
        count.won += (mirrored.key() == stones.key()) ? 1 : 2;
        continue;
      }
      const auto landings = landing_cells(shape, stones.mask);
      const auto wins =
          winning_cells(shape, stones.mine, stones.mask) | winning_cells(shape, stones.theirs(), stones.mask);
      if (!(wins & landings)) count.unforced_canonical += 1;
      if (ply == last_ply) continue;
      if (next.size() > most) {
        throw std::length_error("the positions of ply " + std::to_string(ply + 1) + " do not fit in memory");
      }
      for (auto left = landings; left; left &= left - 1) {
        const auto child = stones.play(lowest_bit(left));
        const auto child_mirrored = mirror(shape, child);
        next.push_back(child.key() <= child_mirrored.key() ? child : child_mirrored);
      }
    }
    counts.push_back(count);
    heartbeat();
    std::sort(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
    heartbeat();
    next.erase(std::unique(next.begin(), next.end(),
                           [](const auto& a, const auto& b) { return a.key() == b.key(); }),
               next.end());
    layer = std::move(next);
  }
  return counts;
}

}  // namespace claimeven
