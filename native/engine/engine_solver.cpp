// The exact solver behind the C door.
#include <memory>
#include <optional>
#include <span>

#include "engine/engine.hpp"
#include "solver/any_solver.hpp"

namespace claimeven {
namespace {

struct EngineSolver {
  const std::optional<Book> book;
  AnySolver solver;

  EngineSolver(int megabytes, std::span<const std::uint8_t> bytes)
      : book(bytes.empty() ? std::nullopt : std::optional<Book>(bytes)),
        solver(static_cast<std::size_t>(megabytes) << 20, 1, book ? &*book : nullptr) {}
};

}  // namespace
}  // namespace claimeven

using claimeven::EngineSolver;

// A solver, or null. The bytes of the book stay the caller's; there may be none.
CLAIMEVEN_EXPORTED EngineSolver* claimeven_solver_new(int megabytes, const std::uint8_t* book,
                                                      std::uint64_t size) try {
  if (megabytes < 1 || megabytes > 1 << 16) return nullptr;
  auto solver = std::make_unique<EngineSolver>(megabytes, std::span(book, size));
  return !solver->book || solver->book->is_intact() ? solver.release() : nullptr;
} catch (...) {
  return nullptr;
}

CLAIMEVEN_EXPORTED void claimeven_solver_delete(EngineSolver* solver) { delete solver; }

// What is proved of every open column within the time: the score lies from `low` to `high`. Other elements
// are not touched.
CLAIMEVEN_EXPORTED int claimeven_solver_analyse(EngineSolver* solver, int columns, int rows, int connect,
                                                const claimeven::Words* words, double seconds, int* low,
                                                int* high) {
  using namespace claimeven;
  return with_position(columns, rows, connect, *words, [&](const auto& shape, const auto& stones) {
    Limit limit;
    limit.end_after(std::max(seconds, 1e-3));
    auto& engine = solver->solver.at(shape, stones, false);
    for (const auto& column : engine.analyse(stones, limit, kUnlimitedDepth, false).columns) {
      low[column.column] = column.bounds.lower;
      high[column.column] = column.bounds.upper;
    }
  });
}
