#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <tuple>

#include "plan/guide.hpp"
#include "plan/joiner.hpp"
#include "plan/plan.hpp"
#include "plan/planner.hpp"
#include "plan/shortener.hpp"
#include "python/bind.hpp"
#include "python/book_file.hpp"
#include "python/words.hpp"
#include "solver/any_solver.hpp"
#include "solver/table_file.hpp"

namespace claimeven {
namespace {

using Rules = std::tuple<std::vector<int>, Exceptions, std::vector<int>>;  // a plan, as Python has it

Rules rules_of(Plan plan) {
  return {std::move(plan.urgent), std::move(plan.exceptions), std::move(plan.spare)};
}

Plan plan_of(int columns, int rows, const Rules& rules) {
  const auto& [urgent, exceptions, spare] = rules;
  const auto check = [cells = columns * (rows + 1)](int cell) {
    if (cell < 0 || cell >= cells) throw std::invalid_argument("a plan names cells by bits");
  };
  for (const int y : urgent) check(y);
  for (const int y : spare) check(y);
  for (const auto& [x, y] : exceptions) {
    check(x);
    check(y);
  }
  return {urgent, exceptions, spare};
}

// Positions as two arrays of words, each of 8 or 16 bytes.
template <class Shape>
std::vector<Stones<Shape>> stones_of(const Shape& shape, const nb::bytes& mine, const nb::bytes& mask) {
  using Word = typename Shape::Word;
  if (mine.size() != mask.size() || mine.size() % sizeof(Word)) {
    throw std::invalid_argument("mine and mask must be arrays of the same length");
  }
  std::vector<Stones<Shape>> positions(mine.size() / sizeof(Word));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Word words[2];
    std::memcpy(&words[0], mine.c_str() + i * sizeof(Word), sizeof(Word));
    std::memcpy(&words[1], mask.c_str() + i * sizeof(Word), sizeof(Word));
    positions[i] = checked_stones(shape, words[0], words[1]);
  }
  return positions;
}

class SolverDoor {
  static std::size_t checked_bytes(int threads, int megabytes) {
    if (threads < 1 || threads > kMostThreads) throw std::invalid_argument("threads must be 1 to 1024");
    if (megabytes < 1 || megabytes > 1 << 20) throw std::invalid_argument("megabytes must be 1 to 1048576");
    return static_cast<std::size_t>(megabytes) << 20;
  }

  static int checked_depth(std::optional<int> depth) {
    if (depth && *depth < 0) throw std::invalid_argument("depth must be at least 0");
    return depth.value_or(kUnlimitedDepth);
  }

  static Goal goal_of(bool only_outcome) { return only_outcome ? Goal::kOutcome : Goal::kScore; }

  template <class Action>
  auto with_solver(int columns, int rows, int connect, nb::handle mine, nb::handle mask, bool reached,
                   Action action) {
    return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      return action(solver_.at(shape, stones, reached), stones);
    });
  }

  std::vector<std::shared_ptr<BookFile>> books_;
  std::mutex mutex_;
  AnySolver solver_;

 public:
  SolverDoor(int threads, int megabytes, std::shared_ptr<BookFile> book)
      : solver_(checked_bytes(threads, megabytes), threads, nullptr) {
    if (book) add_book(std::move(book));
  }

  void add_book(std::shared_ptr<BookFile> book) {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    solver_.add(book->book());
    books_.push_back(std::move(book));
  }

  void clear() {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    solver_.clear();
  }

  int score(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached) {
    Limit limit = limit_of({}, {}, nb::none());
    const auto solve = [&](auto& solver, const auto& stones) {
      return solver.solve(stones, Goal::kScore, limit).lower;
    };
    return with_solver(columns, rows, connect, mine, mask, reached, solve);
  }

  auto solve(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
             bool only_outcome, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
             std::optional<int> depth, nb::object stop, nb::object progress) {
    Limit limit = limit_of(nodes, seconds, stop, progress);
    const auto solve = [&, plies = checked_depth(depth)](auto& solver, const auto& stones) {
      return solver.solve(stones, goal_of(only_outcome), limit, plies);
    };
    const Bounds bounds = with_solver(columns, rows, connect, mine, mask, reached, solve);
    return std::tuple(bounds.lower, bounds.upper, limit.nodes());
  }

  auto analyse(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
               std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::optional<int> depth,
               nb::object stop, nb::object progress) {
    Limit limit = limit_of(nodes, seconds, stop, progress);
    const auto analyse = [&, plies = checked_depth(depth)](auto& solver, const auto& stones) {
      return solver.analyse(stones, limit, plies);
    };
    const Analysis analysis = with_solver(columns, rows, connect, mine, mask, reached, analyse);
    std::vector<std::tuple<int, int, int>> columns_of_bounds;
    for (const Column& column : analysis.columns) {
      columns_of_bounds.emplace_back(column.column, column.bounds.lower, column.bounds.upper);
    }
    return std::tuple(columns_of_bounds, analysis.line, limit.nodes());
  }

  // Best play of both sides from a position with this score, which must be the exact one.
  std::vector<int> line(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
                        int score) {
    Limit limit = limit_of({}, {}, nb::none());
    return with_solver(columns, rows, connect, mine, mask, reached,
                       [&](auto& solver, const auto& stones) { return solver.line(stones, score, limit); });
  }

  std::optional<Rules> plan(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask,
                            bool draw_is_enough, std::uint64_t budget, int tries) {
    Limit limit = limit_of({}, {}, nb::none());
    const auto find = [&](auto& solver, const auto& stones) -> std::optional<Rules> {
      const auto keeps = [&](auto theirs, auto all) {
        const Bounds bounds = solver.solve({theirs, all}, Goal::kOutcome, limit);
        return draw_is_enough ? bounds.lower <= 0 : bounds.upper < 0;
      };
      auto found = Planner(solver.shape(), draw_is_enough, keeps).find(stones, budget, tries);
      if (!found) return {};
      return rules_of(std::move(*found));
    };
    return with_solver(columns, rows, connect, mine, mask, true, find);
  }

  // The last of the positions is the new one.
  std::optional<Rules> joined_plan(int columns, int rows, int connect, nb::bytes mine, nb::bytes mask,
                                   const Rules& plan, std::size_t most, bool draw_is_enough,
                                   std::uint64_t budget, int tries) {
    Limit limit = limit_of({}, {}, nb::none());
    return with_checked_shape(columns, rows, connect, [&](auto shape) -> std::optional<Rules> {
      auto members = stones_of(shape, mine, mask);
      if (members.empty()) throw std::invalid_argument("a position is missing");
      const auto newcomer = members.back();
      members.pop_back();
      const Plan rules = plan_of(columns, rows, plan);
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      auto& solver = solver_.at(shape, newcomer, true);
      const auto keeps = [&](auto theirs, auto all) {
        const Bounds bounds = solver.solve({theirs, all}, Goal::kOutcome, limit);
        return draw_is_enough ? bounds.lower <= 0 : bounds.upper < 0;
      };
      auto found =
          Joiner(solver.shape(), draw_is_enough, keeps).joined(rules, members, newcomer, most, budget, tries);
      if (!found) return {};
      return rules_of(std::move(*found));
    });
  }

  void save(int columns, int rows, int connect, const std::string& path, std::uint64_t nodes,
            double seconds) {
    TableHeader header{};
    header.nodes = nodes;
    header.seconds = seconds;
    with_checked_shape(columns, rows, connect, [&](auto shape) {
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      save_table(path, header, shape, solver_.table(shape));
    });
  }

  auto load(int columns, int rows, int connect, const std::string& path) {
    return with_checked_shape(columns, rows, connect, [&](auto shape) {
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      TableFile file(path, "rb");
      const TableHeader header = file.header();
      const auto is = [](std::uint32_t said, int wanted) {
        return said == static_cast<std::uint32_t>(wanted);
      };
      if (!is(header.columns, shape.columns) || !is(header.rows, shape.rows) ||
          !is(header.connect, shape.connect)) {
        throw std::invalid_argument("it is of board " + std::to_string(header.columns) + "x" +
                                    std::to_string(header.rows) + "x" + std::to_string(header.connect));
      }
      auto& table = solver_.table(shape);
      table.clear();
      try {
        file.read(header, shape, table);
      } catch (...) {
        table.clear();  // what a damaged file says is forgotten
        throw;
      }
      return std::tuple(header.nodes, header.seconds);
    });
  }

  // Positions as two arrays of words, each of 8 or 16 bytes; scores as one signed byte each.
  nb::bytes scores(int columns, int rows, int connect, nb::bytes mine, nb::bytes mask, bool only_outcome,
                   bool reached, nb::object progress) {
    return with_checked_shape(columns, rows, connect, [&](auto shape) {
      auto positions = stones_of(shape, mine, mask);
      Limit limit = limit_of({}, {}, nb::none(), progress);
      std::string scores;
      {
        const WithoutGil release;
        const std::lock_guard lock(mutex_);
        scores = solver_.scores(shape, std::move(positions), reached, goal_of(only_outcome), limit);
      }
      return nb::bytes(scores.data(), scores.size());
    });
  }
};

bool plan_holds(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, const Rules& plan,
                bool draw_is_enough, std::uint64_t budget) {
  return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
    const Plan rules = plan_of(columns, rows, plan);
    const WithoutGil release;
    return Holder(shape, draw_is_enough).holds(stones, rules, budget);
  });
}

// Of each position the number of the first plan that holds there; -1 without any.
std::vector<int> first_plans(int columns, int rows, int connect, nb::bytes mine, nb::bytes mask,
                             const std::vector<Rules>& plans, bool draw_is_enough, std::uint64_t budget) {
  return with_checked_shape(columns, rows, connect, [&](auto shape) {
    const auto positions = stones_of(shape, mine, mask);
    std::vector<int> found(positions.size(), -1);
    const WithoutGil release;
    Holder holder(shape, draw_is_enough);
    for (int number = 0; number < std::ssize(plans); ++number) {
      check_signals();
      const Answers<typename decltype(shape)::Word> answers(plan_of(columns, rows, plans[number]));
      for (std::size_t i = 0; i < positions.size(); ++i) {
        if (found[i] < 0 && holder.holds(positions[i], answers, budget)) found[i] = number;
      }
    }
    return found;
  });
}

Rules shorter_plan(int columns, int rows, int connect, nb::bytes mine, nb::bytes mask, const Rules& plan,
                   bool draw_is_enough) {
  return with_checked_shape(columns, rows, connect, [&](auto shape) {
    auto positions = stones_of(shape, mine, mask);
    Plan rules = plan_of(columns, rows, plan);
    const WithoutGil release;
    return rules_of(Shortener(shape, draw_is_enough, std::move(positions)).shortened(std::move(rules)));
  });
}

// A map of 7x6x4. Of a node: the opponent's stones and all stones, the number of a plan or -1, and for each
// reply the cells (x, y) of it and its answer. Nodes, and the root, come with their mirror images.
class GuideDoor {
  using Shape = FixedShape<7, 6, 4>;
  using Said = std::tuple<Word64, Word64, int, std::vector<std::pair<Word64, Word64>>>;

 public:
  GuideDoor(const std::vector<std::pair<Word64, Word64>>& roots, const std::vector<Said>& nodes,
            const std::vector<Rules>& plans)
      : guide_(Shape{}) {
    for (const Rules& plan : plans) guide_.add_plan(plan_of(Shape::columns, Shape::rows, plan));
    for (const auto& [theirs, mask] : roots) guide_.add_root(theirs, mask);
    for (const auto& [theirs, mask, plan, answers] : nodes) {
      if (plan < -1 || plan >= std::ssize(plans)) throw std::invalid_argument("a node names no plan");
      guide_.add_node(theirs, mask, {plan, answers});
    }
  }

  // One byte per position, the holder to move: its column, or -1 off the map.
  nb::bytes columns(nb::bytes mine, nb::bytes mask) {
    const auto positions = positions_of(Shape{}, mine, mask);
    std::string found;
    {
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      for (const auto& stones : positions) {
        const Word64 cell = guide_.cell(stones.mine, stones.mask);
        found.push_back(static_cast<char>(cell ? column_of(Shape{}, cell) : -1));
      }
    }
    return nb::bytes(found.data(), found.size());
  }

 private:
  std::mutex mutex_;
  Guide<Shape> guide_;
};

}  // namespace

void bind_solver(nb::module_& module) {
  module.def("plan_holds", &plan_holds, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("mine"), nb::arg("mask"), nb::arg("plan"), nb::kw_only(), nb::arg("draw_is_enough"),
             nb::arg("budget"), "Whether a plan wins, or does not lose, against every reply.");
  module.def("shorter_plan", &shorter_plan, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("mine"), nb::arg("mask"), nb::arg("plan"), nb::kw_only(), nb::arg("draw_is_enough"),
             "The same plan in fewer words, for all these positions; they are arrays of words.");
  module.def("first_plans", &first_plans, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("mine"), nb::arg("mask"), nb::arg("plans"), nb::kw_only(), nb::arg("draw_is_enough"),
             nb::arg("budget"), "Of each position the number of the first plan that holds there, or -1.");
  nb::class_<GuideDoor>(module, "Guide", "Follows a map of 7x6x4 in many positions (native/plan/guide.hpp).")
      .def(nb::init<
               const std::vector<std::pair<Word64, Word64>>&,
               const std::vector<std::tuple<Word64, Word64, int, std::vector<std::pair<Word64, Word64>>>>&,
               const std::vector<Rules>&>(),
           nb::arg("roots"), nb::arg("nodes"), nb::arg("plans"))
      .def("columns", &GuideDoor::columns, nb::arg("mine"), nb::arg("mask"),
           "The holder's column in each position, -1 off the map; positions are arrays of 64-bit words.");
  nb::class_<SolverDoor>(module, "Solver",
                         "Exact scores on any board; keeps what it has learned between calls.")
      .def(nb::init<int, int, std::shared_ptr<BookFile>>(), nb::kw_only(), nb::arg("threads"),
           nb::arg("megabytes"), nb::arg("book").none())
      .def("add_book", &SolverDoor::add_book, nb::arg("book"), "Use one more book, of any board.")
      .def("clear", &SolverDoor::clear, "Forget what was learned.")
      .def("score", &SolverDoor::score, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), "The exact score, without limits.")
      .def("solve", &SolverDoor::solve, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), nb::kw_only(), nb::arg("only_outcome"),
           nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("depth").none(),
           nb::arg("stop").none(), nb::arg("progress").none(),
           "(lower, upper, nodes): sound bounds, equal when the score is exact.")
      .def("analyse", &SolverDoor::analyse, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), nb::kw_only(), nb::arg("nodes").none(),
           nb::arg("seconds").none(), nb::arg("depth").none(), nb::arg("stop").none(),
           nb::arg("progress").none(), "([(column, lower, upper)], line, nodes).")
      .def("line", &SolverDoor::line, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), nb::arg("score"),
           "Best play of both sides; the score must be the exact one.")
      .def("plan", &SolverDoor::plan, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("draw_is_enough"), nb::arg("budget"),
           nb::arg("tries"),
           "(urgent, exceptions, spare) of a plan of the side not to move (plan.hpp), cells as numbers of "
           "bits.")
      .def("joined_plan", &SolverDoor::joined_plan, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("plan"), nb::kw_only(), nb::arg("most"),
           nb::arg("draw_is_enough"), nb::arg("budget"), nb::arg("tries"),
           "A plan of at most so many rules for all these positions, near to one for all but the last.")
      .def("save", &SolverDoor::save, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("path"), nb::arg("nodes"), nb::arg("seconds"),
           "Write what was learned on this board to a file, with what it has cost.")
      .def("load", &SolverDoor::load, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("path"), "Know what a file knows, and nothing else; (nodes, seconds) that it has cost.")
      .def("scores", &SolverDoor::scores, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("only_outcome"), nb::arg("reached"),
           nb::arg("progress").none(), "One signed byte per position; positions are arrays of words.");
}

}  // namespace claimeven
