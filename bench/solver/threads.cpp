// One position, solved from an empty table on so many threads; bench/solver/threads.py builds and runs it:
//   threads COLUMNS ROWS MOVES THREADS MEGABYTES [NODES]
// MOVES are columns counted from 1, in base 36, or - for the empty board; NODES ends the search early. It
// prints the bounds of the score, nodes, seconds by the clock and processor seconds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "board/checked.hpp"
#include "solver/solver.hpp"

int main(int argc, char** argv) {
  using namespace claimeven;
  if (argc != 6 && argc != 7) return std::puts("threads COLUMNS ROWS MOVES THREADS MEGABYTES [NODES]"), 2;
  const std::string moves = std::string(argv[3]) == "-" ? "" : argv[3];
  return with_checked_shape(std::atoi(argv[1]), std::atoi(argv[2]), 4, [&](auto shape) {
    using Shape = decltype(shape);
    Stones<Shape> stones;
    for (const char digit : moves) {
      const int column = digit <= '9' ? digit - '1' : digit - 'a' + 9;
      stones = stones.play(landing_cells(shape, stones.mask) & column_cells(shape, column));
    }
    Solver<Shape> solver(shape, std::strtoull(argv[5], nullptr, 10) << 20, std::atoi(argv[4]));
    Limit limit(argc == 7 ? std::strtoull(argv[6], nullptr, 10) : Limit::kUnlimited);
    const Bounds bounds = solver.solve(stones, Goal::kScore, limit);
    std::printf("%d %d %llu %.4f %.4f\n", bounds.lower, bounds.upper,
                static_cast<unsigned long long>(limit.nodes()), limit.seconds(),
                static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return 0;
  });
}
