// The exact solver and its book behind the WebAssembly door.
#include <memory>
#include <span>

#include "solver/any_solver.hpp"
#include "web/door.hpp"

// Built in web_solver_wide.cpp.
extern template class claimeven::Solver<claimeven::FourShape<claimeven::Word128>>;
extern template class claimeven::Solver<claimeven::AnyShape<claimeven::Word128>>;

namespace web = claimeven::web;
using claimeven::AnySolver;
using claimeven::Book;
using claimeven::web::Place;

// A book in memory that stays the caller's; null if it is none. The answer: version, plies, positions, is it
// intact.
CLAIMEVEN_WEB(book_new) Book* book_new(const std::uint8_t* bytes, std::size_t size) {
  Book* made = nullptr;
  web::answered([&] {
    auto book = std::make_unique<Book>(std::span(bytes, size));
    web::put(book->version(), book->plies(), book->positions(), book->is_intact());
    made = book.release();
  });
  return made;
}
CLAIMEVEN_WEB(book_delete) void book_delete(Book* book) { delete book; }

// The book, if there is one, must outlive the solver.
CLAIMEVEN_WEB(solver_new) AnySolver* solver_new(int megabytes, const Book* book) {
  AnySolver* made = nullptr;
  web::answered([&] {
    if (megabytes < 1 || megabytes > 1024) throw std::invalid_argument("megabytes must be 1 to 1024");
    made = std::make_unique<AnySolver>(static_cast<std::size_t>(megabytes) << 20, 1, book).release();
  });
  return made;
}
// The book must outlive the solver, too.
CLAIMEVEN_WEB(solver_add_book) void solver_add_book(AnySolver* solver, const Book* book) {
  solver->add(*book);
}
CLAIMEVEN_WEB(solver_delete) void solver_delete(AnySolver* solver) { delete solver; }
CLAIMEVEN_WEB(solver_clear) void solver_clear(AnySolver* solver) { solver->clear(); }

// The answer: nodes, lower, upper: sound bounds, equal when the score is exact. A depth below 0 is none.
CLAIMEVEN_WEB(solver_solve)
int solver_solve(AnySolver* solver, int columns, int rows, int connect, std::uint64_t mine_low,
                 std::uint64_t mine_high, std::uint64_t mask_low, std::uint64_t mask_high, int reached,
                 int only_outcome, double nodes, double seconds, int depth) {
  using namespace claimeven;
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    web::at(place, [&](const auto& shape, const auto& stones) {
      Limit limit = web::limit_of(nodes, seconds);
      const Bounds bounds = solver->at(shape, stones, reached)
                                .solve(stones, only_outcome ? Goal::kOutcome : Goal::kScore, limit,
                                       depth < 0 ? kUnlimitedDepth : depth);
      web::put(limit.nodes(), bounds.lower, bounds.upper);
    });
  });
}

// The answer: nodes, the number of columns, each with its bounds, then a line of best play if it is wanted.
CLAIMEVEN_WEB(solver_analyse)
int solver_analyse(AnySolver* solver, int columns, int rows, int connect, std::uint64_t mine_low,
                   std::uint64_t mine_high, std::uint64_t mask_low, std::uint64_t mask_high, int reached,
                   double nodes, double seconds, int depth, int with_line) {
  using namespace claimeven;
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    web::at(place, [&](const auto& shape, const auto& stones) {
      Limit limit = web::limit_of(nodes, seconds);
      const Analysis found = solver->at(shape, stones, reached)
                                 .analyse(stones, limit, depth < 0 ? kUnlimitedDepth : depth, with_line);
      web::put(limit.nodes(), found.columns.size());
      for (const Column& column : found.columns) {
        web::put(column.column, column.bounds.lower, column.bounds.upper);
      }
      for (const int column : found.line) web::put(column);
    });
  });
}

// The answer: best play of both sides from a position with this score, which must be the exact one.
CLAIMEVEN_WEB(solver_line)
int solver_line(AnySolver* solver, int columns, int rows, int connect, std::uint64_t mine_low,
                std::uint64_t mine_high, std::uint64_t mask_low, std::uint64_t mask_high, int reached,
                int score, double seconds) {
  using namespace claimeven;
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    web::at(place, [&](const auto& shape, const auto& stones) {
      Limit limit = web::limit_of(0, seconds);
      for (const int column : solver->at(shape, stones, reached).line(stones, score, limit)) web::put(column);
    });
  });
}
