#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "agents/mcts.hpp"
#include "agents/minimax.hpp"
#include "python/bind.hpp"

namespace claimeven {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

template <class Choice>
Choice chosen(const std::string& text, std::initializer_list<std::pair<const char*, Choice>> words) {
  for (const auto& [word, choice] : words) {
    if (text == word) return choice;
  }
  throw std::invalid_argument("weights: no such word: " + text);
}

void make_weights(Weights* self, std::array<std::vector<std::int64_t>, 2> windows,
                  std::array<std::vector<std::int64_t>, 2> runs, const std::string& threats,
                  const std::string& vertical, std::array<std::int64_t, 2> center,
                  std::array<std::int64_t, 2> height, std::array<std::int64_t, 2> drop,
                  const std::string& drop_windows, std::array<std::int64_t, 2> parity,
                  std::array<std::int64_t, 2> zugzwang, double noise, std::array<double, 2> miss,
                  std::uint64_t seed) {
  using Threats = Weights::Threats;
  using Vertical = Weights::Vertical;
  using Drop = Weights::Drop;
  new (self) Weights{windows,
                     runs,
                     chosen<Threats>(threats, {{"all", Threats::kAll},
                                               {"level", Threats::kLevelPlayable},
                                               {"playable", Threats::kPlayable}}),
                     chosen<Vertical>(vertical, {{"windows", Vertical::kWindows}, {"top", Vertical::kTop}}),
                     center,
                     height,
                     drop,
                     chosen<Drop>(drop_windows, {{"through", Drop::kThrough}, {"start", Drop::kStart}}),
                     parity,
                     zugzwang,
                     noise,
                     miss,
                     seed};
}

std::int64_t evaluate(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool for_mover,
                      const Weights& weights) {
  return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
    const bool mover_is_first = stones.ply() % 2 == 0;
    const Evaluator evaluator(shape, weights);
    return for_mover ? evaluator.value(stones.mine, stones.theirs(), mover_is_first)
                     : evaluator.value(stones.theirs(), stones.mine, !mover_is_first);
  });
}

MinimaxResult minimax(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask,
                      const Weights& weights, int depth, bool all_exact, double megabytes,
                      std::optional<std::uint64_t> nodes, std::optional<double> seconds, nb::object stop) {
  if (depth < 1) throw std::invalid_argument("depth must be at least 1");
  Limit limit = limit_of(nodes, seconds, stop);
  return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
    using Shape = std::decay_t<decltype(shape)>;
    check_to_move(shape, stones);
    const WithoutGil release;
    const Evaluator evaluator(shape, weights);
    // A shallow search has few positions: a small table stays in the cache.
    const int log = std::min(2 * depth + 8, 40);
    const auto bytes = std::min(static_cast<std::size_t>(megabytes * kMegabyte), std::size_t{1} << log);
    if (evaluator.overlooks())
      return Minimax<Shape, false>(shape, evaluator, limit, bytes).run(stones, depth, all_exact);
    return Minimax<Shape, true>(shape, evaluator, limit, bytes).run(stones, depth, all_exact);
  });
}

// One search tree on one board.
class MctsDoor {
 public:
  MctsDoor(int columns, int rows, int connect, double exploration, int replies, bool forgets, bool solver,
           bool decisive, bool reuses, double tree_megabytes, std::size_t table_entries)
      : columns_(columns), rows_(rows), connect_(connect) {
    if (replies < 0 || replies > Replies::kLongest) throw std::invalid_argument("replies must be 0 to 3");
    const auto tree_bytes = static_cast<std::size_t>(tree_megabytes * kMegabyte);
    const MctsOptions options{exploration, replies, forgets,    solver,
                              decisive,    reuses,  tree_bytes, table_entries};
    with_checked_shape(columns, rows, connect,
                       [&](auto shape) { mcts_ = std::make_unique<Mcts<decltype(shape)>>(shape, options); });
  }

  MctsResult run(nb::int_ mine, nb::int_ mask, std::uint64_t seed, int depth,
                 std::optional<std::uint64_t> simulations, std::optional<double> seconds, nb::object stop) {
    if (depth < 1) throw std::invalid_argument("depth must be at least 1");
    Limit limit = limit_of(simulations, seconds, stop);
    return with_position(columns_, rows_, connect_, mine, mask, [&](const auto& shape, const auto& stones) {
      check_to_move(shape, stones);
      const WithoutGil release;
      return mcts_->run(stones.mine, stones.mask, limit, depth, seed);
    });
  }

 private:
  int columns_, rows_, connect_;
  std::unique_ptr<MctsBase> mcts_;
};

void bind_minimax(nb::module_& module) {
  nb::class_<Weights>(module, "Weights", "Weights of the evaluator; pairs are (own, opponent's).")
      .def("__init__", &make_weights, nb::kw_only(), nb::arg("windows"), nb::arg("runs"), nb::arg("threats"),
           nb::arg("vertical"), nb::arg("center"), nb::arg("height"), nb::arg("drop"),
           nb::arg("drop_windows"), nb::arg("parity"), nb::arg("zugzwang"), nb::arg("noise"), nb::arg("miss"),
           nb::arg("seed"),
           "`windows` and `runs` list the weight of 1, 2, … stones, aligned so that the last is of connect - "
           "1.");
  nb::class_<MinimaxColumn>(module, "Column", "What minimax found of one column.")
      .def_ro("column", &MinimaxColumn::column)
      .def_ro("value", &MinimaxColumn::value)
      .def_ro("is_exact", &MinimaxColumn::is_exact);
  nb::class_<MinimaxResult>(module, "MinimaxResult", "The columns, the best first, and what the search used.")
      .def_ro("columns", &MinimaxResult::columns)
      .def_ro("depth", &MinimaxResult::depth)
      .def_ro("nodes", &MinimaxResult::nodes)
      .def_ro("hits", &MinimaxResult::hits)
      .def_ro("seconds", &MinimaxResult::seconds);
  module.attr("WIN") = kWin;
  module.attr("MAX_VALUE") = kMaxValue;
  module.def("evaluate", &evaluate, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"), nb::arg("mine"),
             nb::arg("mask"), nb::arg("for_mover"), nb::arg("weights"),
             "The static value for the side to move, or for the other side.");
  module.def("minimax", &minimax, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"), nb::arg("mine"),
             nb::arg("mask"), nb::kw_only(), nb::arg("weights"), nb::arg("depth"), nb::arg("all_exact"),
             nb::arg("megabytes"), nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("stop").none(),
             "Alpha-beta to a depth, or as far as the limits allow.");
}

}  // namespace

void bind_agents(nb::module_& module) {
  bind_minimax(module);
  nb::class_<MctsColumn>(module, "MctsColumn", "Statistics of one column, for the side to move.")
      .def_ro("column", &MctsColumn::column)
      .def_ro("visits", &MctsColumn::visits)
      .def_ro("mean", &MctsColumn::mean)
      .def_prop_ro(
          "proven",
          [](const MctsColumn& self) {
            return self.proven == kUnproven ? std::nullopt : std::optional(self.proven);
          },
          "1 win, 0 draw, -1 loss, None unknown.");
  nb::class_<MctsResult>(module, "MctsResult", "The columns, and what the search used.")
      .def_ro("columns", &MctsResult::columns)
      .def_ro("simulations", &MctsResult::simulations)
      .def_ro("reused", &MctsResult::reused)
      .def_ro("nodes", &MctsResult::nodes)
      .def_ro("depth", &MctsResult::depth)
      .def_ro("is_full", &MctsResult::is_full)
      .def_ro("lookups", &MctsResult::lookups)
      .def_ro("hits", &MctsResult::hits)
      .def_ro("replaced", &MctsResult::replaced)
      .def_prop_ro(
          "replies",
          [](const MctsResult& self) {
            std::vector<std::array<std::uint64_t, 2>> pairs;
            for (const auto& hits : self.replies) pairs.push_back({hits.asked, hits.played});
            return pairs;
          },
          "By length of the context: how often a reply was asked for, and how often one was played.")
      .def_ro("seconds", &MctsResult::seconds);
  nb::class_<MctsDoor>(module, "Mcts",
                       "A Monte Carlo tree search on one board; not for several threads at once.")
      .def(nb::init<int, int, int, double, int, bool, bool, bool, bool, double, std::size_t>(),
           nb::arg("columns"), nb::arg("rows"), nb::arg("connect"), nb::kw_only(), nb::arg("exploration"),
           nb::arg("replies"), nb::arg("forgets"), nb::arg("solver"), nb::arg("decisive"), nb::arg("reuses"),
           nb::arg("tree_megabytes"), nb::arg("table_entries"))
      .def("run", &MctsDoor::run, nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("seed"),
           nb::arg("depth"), nb::arg("simulations").none(), nb::arg("seconds").none(),
           nb::arg("stop").none());
}

}  // namespace claimeven
