// The exact solver behind the C door.
#include <memory>
#include <span>
#include <variant>

#include "engine/engine.hpp"
#include "solver/solver.hpp"

namespace claimeven {
namespace {

// One solver for all boards; it keeps the tables of the board it was last asked about.
class EngineSolver {
 public:
  EngineSolver(int megabytes, std::span<const std::uint8_t> book)
      : bytes_(static_cast<std::size_t>(megabytes) << 20) {
    if (!book.empty()) book_.emplace(book);
  }

  bool is_intact() const { return !book_ || book_->is_intact(); }

  template <class Shape>
  Analysis analyse(const Shape& shape, const Stones<Shape>& stones, double seconds) {
    Control control;
    control.deadline = Control::Clock::now() + std::chrono::duration_cast<Control::Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
    Solver<Shape>& solver = solver_for(shape);
    bool may_use_book = false;
    if constexpr (std::is_same_v<Shape, BookShape>) {
      // The book knows only what a game can lead to.
      may_use_book = book_ && stones.ply() < book_->plies() && is_reachable(stones);
    }
    solver.use_book(may_use_book ? &*book_ : nullptr);
    return solver.analyse(stones, control, Solver<Shape>::kUnlimitedDepth, false);
  }

 private:
  template <class Shape>
  using Tables = std::unique_ptr<Solver<Shape>>;

  template <class Shape>
  Solver<Shape>& solver_for(const Shape& shape) {
    auto* tables = std::get_if<Tables<Shape>>(&tables_);
    if (!tables || !*tables || (*tables)->shape().columns != shape.columns ||
        (*tables)->shape().rows != shape.rows || (*tables)->shape().connect != shape.connect) {
      tables_ = Tables<BookShape>();  // give the old one's memory back first
      tables = &tables_.template emplace<Tables<Shape>>(std::make_unique<Solver<Shape>>(shape, bytes_, 1));
    }
    return **tables;
  }

  const std::size_t bytes_;
  std::optional<Book> book_;
  std::variant<Tables<BookShape>, Tables<AnyShape<Word64>>, Tables<AnyShape<Word128>>> tables_;
};

}  // namespace
}  // namespace claimeven

using claimeven::EngineSolver;

// A solver, or null. The bytes of the book stay the caller's; there may be none.
CLAIMEVEN_EXPORTED EngineSolver* claimeven_solver_new(int megabytes, const std::uint8_t* book,
                                                      std::uint64_t size) try {
  if (megabytes < 1 || megabytes > 1 << 16) return nullptr;
  auto solver = std::make_unique<EngineSolver>(megabytes, std::span(book, size));
  return solver->is_intact() ? solver.release() : nullptr;
} catch (...) {
  return nullptr;
}

CLAIMEVEN_EXPORTED void claimeven_solver_delete(EngineSolver* solver) { delete solver; }

// What is proved of every open column within the time: the score lies from `low` to `high`. Other elements
// are not touched.
CLAIMEVEN_EXPORTED int claimeven_solver_analyse(EngineSolver* solver, int columns, int rows, int connect,
                                                const claimeven::Words* words, double seconds, int* low,
                                                int* high) {
  return claimeven::with_position(columns, rows, connect, *words, [&](const auto& shape, const auto& stones) {
    for (const auto& column : solver->analyse(shape, stones, std::clamp(seconds, 1e-3, 1e6)).columns) {
      low[column.column] = column.bounds.lower;
      high[column.column] = column.bounds.upper;
    }
  });
}
