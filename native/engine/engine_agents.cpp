// Minimax and MCTS behind the C door.
#include <memory>

#include "agents/mcts.hpp"
#include "agents/minimax.hpp"
#include "engine/engine.hpp"
#include "engine/numbers.hpp"

__asm__(".symver log, log@GLIBC_2.2.5");  // the new one sets no errno, which is no use here

// Columns in the order of their values, the best first; `order` must have room for all. `is_best` tells
// those as good as the first.
CLAIMEVEN_EXPORTED int claimeven_minimax(int columns, int rows, int connect, const claimeven::Words* words,
                                         const double* weights, std::uint64_t count, std::uint64_t seed,
                                         int depth, double megabytes, double seconds, int* order,
                                         int* is_best) {
  using namespace claimeven;
  return with_position(columns, rows, connect, *words, [&](const auto& shape, const auto& stones) {
    using Shape = std::decay_t<decltype(shape)>;
    Limit limit;
    limit.end_after(seconds);
    const Evaluator<Shape> evaluator(shape, weights_of({weights, count}, seed));
    const int log = std::min(2 * std::max(depth, 1) + 8, 40);
    const auto bytes = std::min(static_cast<std::size_t>(megabytes * (1 << 20)), std::size_t{1} << log);
    const auto result =
        evaluator.overlooks()
            ? Minimax<Shape, false>(shape, evaluator, limit, bytes).run(stones, std::max(depth, 1), false)
            : Minimax<Shape, true>(shape, evaluator, limit, bytes).run(stones, std::max(depth, 1), false);
    const MinimaxColumn& best = result.columns.front();
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      const MinimaxColumn& column = result.columns[i];
      order[i] = column.column;
      is_best[i] = i == 0 || (column.is_exact && best.is_exact && column.value == best.value);
    }
  });
}

// Visits, means and what is proved (1 win, 0 draw, -1 loss, 2 nothing) of every open column; other
// elements are not touched.
CLAIMEVEN_EXPORTED int claimeven_mcts(int columns, int rows, int connect, const claimeven::Words* words,
                                      double exploration, int replies, int forgets, int solver, int decisive,
                                      double megabytes, std::uint64_t table_entries, std::uint64_t seed,
                                      std::uint64_t simulations, double seconds, std::uint32_t* visits,
                                      double* means, int* proven) {
  using namespace claimeven;
  if (replies < 0 || replies > Replies::kLongest) return -1;
  return with_position(columns, rows, connect, *words, [&](const auto& shape, const auto& stones) {
    using Shape = std::decay_t<decltype(shape)>;
    Limit limit(simulations);
    limit.end_after(seconds);
    MctsOptions options;
    options.exploration = exploration;
    options.replies = replies;
    options.forgets = forgets != 0;
    options.solver = solver != 0;
    options.decisive = decisive != 0;
    options.tree_bytes = static_cast<std::size_t>(megabytes * (1 << 20));
    options.table_entries = table_entries;
    Mcts<Shape> search(shape, options);
    for (const auto& column :
         search.run(stones.mine, stones.mask, limit, shape.columns * shape.rows, seed).columns) {
      visits[column.column] = column.visits;
      means[column.column] = column.mean;
      proven[column.column] = column.proven == kUnproven ? 2 : column.proven;
    }
  });
}
