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
  AnySolver(std::size_t bytes, int threads, const Book* book)
      : bytes_(bytes), threads_(threads), book_(book) {}

  // Forget what was learned.
  void clear() {
    const auto clear = [](auto& solver) {
      if (solver) solver->clear();
    };
    std::visit(clear, solver_);
  }

  // The solver for a position; `is_reached`: it is known that a game has led to it.
  template <class Shape>
  Solver<Shape>& at(const Shape& shape, const Stones<Shape>& stones, bool is_reached) {
    return on(shape, is_reached || is_in_book(stones));
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
      if (!has_book_for(positions[i]) || is_in_book(positions[i])) continue;
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
      solver_ = Held<BookShape>();  // give the old one's memory back first
      held = &solver_.emplace<Held<Shape>>(std::make_unique<Solver<Shape>>(shape, bytes_, threads_));
    }
    (*held)->use_book(may_use_book ? book_ : nullptr);
    return **held;
  }

  template <class Shape>
  bool has_book_for(const Stones<Shape>& stones) const {
    return std::is_same_v<Shape, BookShape> && book_ && stones.ply() <= book_->plies();
  }

  // The book knows only what a game can lead to; stones set up by hand need not be that.
  template <class Shape>
  bool is_in_book(const Stones<Shape>& stones) const {
    if constexpr (std::is_same_v<Shape, BookShape>) {
      return has_book_for(stones) && is_reachable(stones);
    } else {
      return false;
    }
  }

  const std::size_t bytes_;
  const int threads_;
  const Book* const book_;
  OfAnyShape<Held> solver_;
};

}  // namespace claimeven
