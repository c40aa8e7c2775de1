// One solver for all boards, as all doors need it: it keeps the tables of the board it was last asked about.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "solver/solver.hpp"

namespace claimeven {

class AnySolver {
 public:
  // The book, if there is one, must outlive the solver.
  AnySolver(std::size_t bytes, int threads, const Book* book) : bytes_(bytes), threads_(threads) {
    if (book) add(*book);
  }

  // One more book, of any board; of two for one board the later counts.
  void add(const Book& book) { books_.insert(books_.begin(), &book); }

  // Forget what was learned.
  void clear() {
    const auto clear = [](auto& solver) {
      if (solver) solver->clear();
    };
    std::visit(clear, solver_);
  }

  // What was learned on a board.
  template <class Shape>
  TableOf<Shape>& table(const Shape& shape) {
    return on(shape, false).table();
  }

  // The solver for a position; `is_reached`: it is known that a game has led to it.
  template <class Shape>
  Solver<Shape>& at(const Shape& shape, const Stones<Shape>& stones, bool is_reached) {
    return on(shape, is_reached || is_in_book(shape, stones));
  }

  // One signed byte per position: its score, or for the outcome a number with its sign. Throws Stopped.
  template <class Shape>
  std::string scores(const Shape& shape, std::vector<Stones<Shape>> positions, bool are_reached, Goal goal,
                     Limit& limit) {
    std::string scores(positions.size(), '\0');
    const auto solve = [&](const auto& chosen, bool may_use_book, auto place) {
      std::vector<Bounds> bounds;
      on(shape, may_use_book).solve_all(chosen, goal, bounds, limit);
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        const bool is_low = bounds[i].lower > 0 || bounds[i].is_exact();
        scores[place(i)] = static_cast<char>(is_low ? bounds[i].lower : bounds[i].upper);
      }
    };
    // Those that the book could mistake for others are solved apart, without it.
    std::vector<std::size_t> apart;
    std::vector<Stones<Shape>> strange;
    for (std::size_t i = 0; !are_reached && i < positions.size(); ++i) {
      if (!has_book_for(shape, positions[i]) || is_in_book(shape, positions[i])) continue;
      apart.push_back(i);
      strange.push_back(std::exchange(positions[i], {}));  // the start is soon answered
    }
    solve(positions, true, [](std::size_t i) { return i; });
    if (!apart.empty()) solve(strange, false, [&](std::size_t i) { return apart[i]; });
    return scores;
  }

 private:
  template <class Shape>
  using Held = std::unique_ptr<Solver<Shape>>;

  template <class Shape>
  Solver<Shape>& on(const Shape& shape, bool may_use_book) {
    const auto is_same = [&](const Shape& other) {
      return other.columns == shape.columns && other.rows == shape.rows && other.connect == shape.connect;
    };
    auto* held = std::get_if<Held<Shape>>(&solver_);
    if (!held || !*held || !is_same((*held)->shape())) {
      solver_ = Held<FixedShape<7, 6, 4>>();  // give the old one's memory back first
      held = &solver_.emplace<Held<Shape>>(std::make_unique<Solver<Shape>>(shape, bytes_, threads_));
    }
    (*held)->use_book(may_use_book ? book_of(shape) : nullptr);
    return **held;
  }

  template <class Shape>
  const Book* book_of(const Shape& shape) const {
    for (const Book* book : books_) {
      if (book->is_of(shape)) return book;
    }
    return nullptr;
  }

  template <class Shape>
  bool has_book_for(const Shape& shape, const Stones<Shape>& stones) const {
    const Book* book = book_of(shape);
    return book && stones.ply() <= book->plies();
  }

  // The book knows only what a game can lead to; stones set up by hand need not be that.
  template <class Shape>
  bool is_in_book(const Shape& shape, const Stones<Shape>& stones) const {
    if constexpr (sizeof(typename Shape::Word) > sizeof(std::uint64_t)) {
      return false;
    } else {
      return has_book_for(shape, stones) &&
             is_reachable(shape.columns, shape.rows + 1, stones.mine, stones.mask);
    }
  }

  const std::size_t bytes_;
  const int threads_;
  std::vector<const Book*> books_;
  OfAnyShape<Held> solver_;
};

}  // namespace claimeven
