// sanitizer: thread
// Several threads in one tree, under ThreadSanitizer: one position on all of them, many positions in a batch,
// and a stop from outside.
#include <atomic>
#include <random>
#include <string_view>
#include <thread>

#include "check.hpp"
#include "solver/solver.hpp"

namespace {

using namespace claimeven;

template <class Shape>
Stones<Shape> position_of(const Shape& shape, std::string_view moves) {
  Stones<Shape> stones;
  for (const char digit : moves) {
    stones = stones.play(landing_cells(shape, stones.mask) & column_cells(shape, digit - '1'));
  }
  return stones;
}

template <class Shape>
void check_together(const Shape& shape, std::string_view moves, int score, int threads) {
  Solver<Shape> solver(shape, std::size_t{1} << 20, threads);
  for (int round = 0; round < 2; ++round) {
    Limit limit;
    const Bounds bounds = solver.solve(position_of(shape, moves), Goal::kScore, limit);
    CHECK(bounds.lower == score && bounds.upper == score);
    solver.clear();
  }
}

// What several threads left in the table is right, too: bounds of random positions that it knows. Two
// questions tell one thread whether they hold; the score would take it four times as long.
template <class Shape>
void check_left_behind(const Shape& shape, int threads, int positions) {
  Solver<Shape> together(shape, std::size_t{1} << 22, threads), alone(shape, std::size_t{1} << 22, 1);
  Limit limit;
  together.solve({}, Goal::kScore, limit);
  std::mt19937 random(20);
  for (int checked = 0; checked < positions;) {
    Stones<Shape> stones;
    for (unsigned left = 4 + random() % 5; left > 0 && !stones.is_won(shape); --left) {
      auto cells = landing_cells(shape, stones.mask);
      for (unsigned skip = random() % static_cast<unsigned>(popcount(cells)); skip > 0; --skip)
        cells &= cells - 1;
      stones = stones.play(lowest_bit(cells));
    }
    Known known;
    if (stones.is_won(shape) || !together.table().read(canonical_key(shape, stones), known)) continue;
    Limit own;
    Bounds found{-kNoBound, kNoBound};
    alone.ask(stones, known.lower - 1, own, found);
    alone.ask(stones, known.upper, own, found);
    CHECK(known.lower <= found.lower && found.upper <= known.upper);
    ++checked;
  }
}

template <class Shape>
void check_batch(const Shape& shape, std::string_view moves, int threads) {
  std::vector<Stones<Shape>> positions;
  for (std::size_t length = 0; length <= moves.size(); ++length) {
    for (int copy = 0; copy < 4; ++copy) positions.push_back(position_of(shape, moves.substr(length / 2)));
    positions.push_back(position_of(shape, moves));
  }
  Solver<Shape> together(shape, std::size_t{1} << 20, threads), alone(shape, std::size_t{1} << 20, 1);
  std::vector<Bounds> bounds;
  Limit limit;
  together.solve_all(positions, Goal::kOutcome, bounds, limit);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Limit own;
    const Bounds expected = alone.solve(positions[i], Goal::kOutcome, own);
    CHECK((bounds[i].lower > 0) == (expected.lower > 0) && (bounds[i].upper < 0) == (expected.upper < 0));
  }
}

// A table that threads fill says when it should grow, and keeps everything when it does.
void check_growing() {
  Table<CheckedEntry, Word64> table(std::size_t{1} << 22);
  std::atomic<bool> is_full{false};
  table.share(&is_full);
  const auto fill = [&](Word64 key) {
    for (; !is_full; key += 2) table.write(key, {-static_cast<int>(key % 10), 2, 3}, 100);
  };
  std::thread other(fill, 1);
  fill(2);
  other.join();
  CHECK(table.is_full());
  std::vector<Word64> held;
  Known known;
  for (Word64 key = 1; key < 100000; ++key) {
    if (table.read(key, known)) held.push_back(key);
  }
  CHECK(held.size() > 8000);
  table.share(nullptr);
  table.grow_on(3);
  CHECK(!table.is_full());
  for (const Word64 key : held) CHECK(table.read(key, known) && known.lower == -static_cast<int>(key % 10));
}

// Another thread raises the flag in the midst of a long search.
void check_stop() {
  const FixedShape<7, 6, 4> shape{};
  Solver<FixedShape<7, 6, 4>> solver(shape, std::size_t{1} << 22, 2);
  std::atomic<bool> stop{false};
  Limit limit;
  limit.stop = &stop;
  limit.heartbeat = [&](std::uint64_t) { return stop.load(); };
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stop = true;
  });
  const Bounds bounds = solver.solve({}, Goal::kScore, limit);
  other.join();
  CHECK(bounds.lower <= 1 && bounds.upper >= 1 && !bounds.is_exact());
}

}  // namespace

int main(int argc, char** argv) {
  // Enough nodes in one question for the other threads to be called.
  check_together(FixedShape<7, 6, 4>{}, "2416615552", 4, 2);
  check_together(FourShape<Word64>{7, 4}, "", 0, 3);
  check_together(FourShape<Word128>{6, 6}, "3333", 0, 3);  // the table grows meanwhile
  check_left_behind(FourShape<Word64>{6, 5}, 3, 200);
  check_batch(FixedShape<7, 6, 4>{}, "5554224333234511764415115", 3);
  check_growing();
  check_stop();
  if (is_long(argc, argv)) {
    check_together(FixedShape<7, 6, 4>{}, "13712", 3, 4);
    check_together(FourShape<Word128>{7, 4}, "", 0, 2);
    check_left_behind(FourShape<Word64>{6, 5}, 16, 2000);
    check_left_behind(FourShape<Word128>{7, 4}, 8, 500);
  }
}
