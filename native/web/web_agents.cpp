// Minimax, its evaluation and MCTS behind the WebAssembly door.
#include <memory>
#include <span>

#include "agents/mcts.hpp"
#include "agents/minimax.hpp"
#include "engine/numbers.hpp"
#include "web/door.hpp"

namespace web = claimeven::web;
using claimeven::web::Place;

namespace {

constexpr double kMegabyte = 1 << 20;

// One search tree on one board.
struct TreeDoor {
  int columns, rows, connect;
  std::unique_ptr<claimeven::MctsBase> mcts;
};

}  // namespace

// The static value for the side to move, or for the other side. Weights are a row of numbers.
CLAIMEVEN_WEB(evaluate)
int evaluate(int columns, int rows, int connect, std::uint64_t mine_low, std::uint64_t mine_high,
             std::uint64_t mask_low, std::uint64_t mask_high, int for_mover, const double* weights, int count,
             std::uint64_t seed) {
  using namespace claimeven;
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    web::at(place, [&](const auto& shape, const auto& stones) {
      const bool mover_is_first = stones.ply() % 2 == 0;
      const Evaluator evaluator(shape, weights_of({weights, static_cast<std::size_t>(count)}, seed));
      web::put(for_mover ? evaluator.value(stones.mine, stones.theirs(), mover_is_first)
                         : evaluator.value(stones.theirs(), stones.mine, !mover_is_first));
    });
  });
}

// The answer: depth, nodes, hits, seconds; then column, value, is it exact, the best first.
CLAIMEVEN_WEB(minimax)
int minimax(int columns, int rows, int connect, std::uint64_t mine_low, std::uint64_t mine_high,
            std::uint64_t mask_low, std::uint64_t mask_high, const double* weights, int count,
            std::uint64_t seed, int depth, int all_exact, double megabytes, double nodes, double seconds) {
  using namespace claimeven;
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    if (depth < 1) throw std::invalid_argument("depth must be at least 1");
    web::at(place, [&](const auto& shape, const auto& stones) {
      using Shape = std::decay_t<decltype(shape)>;
      check_to_move(shape, stones);
      Limit limit = web::limit_of(nodes, seconds);
      const Evaluator<Shape> evaluator(shape, weights_of({weights, static_cast<std::size_t>(count)}, seed));
      const auto bytes = static_cast<std::size_t>(
          std::min(megabytes * kMegabyte, std::ldexp(1.0, std::min(2 * depth + 8, 30))));
      const MinimaxResult result =
          evaluator.overlooks()
              ? Minimax<Shape, false>(shape, evaluator, limit, bytes).run(stones, depth, all_exact)
              : Minimax<Shape, true>(shape, evaluator, limit, bytes).run(stones, depth, all_exact);
      web::put(result.depth, result.nodes, result.hits, result.seconds);
      for (const MinimaxColumn& column : result.columns)
        web::put(column.column, column.value, column.is_exact);
    });
  });
}

CLAIMEVEN_WEB(mcts_new)
TreeDoor* mcts_new(int columns, int rows, int connect, double exploration, int replies, int forgets,
                   int solver, int decisive, int reuses, double tree_megabytes, double table_entries) {
  using namespace claimeven;
  TreeDoor* made = nullptr;
  web::answered([&] {
    if (replies < 0 || replies > Replies::kLongest) throw std::invalid_argument("replies must be 0 to 3");
    const MctsOptions options{exploration,
                              replies,
                              forgets != 0,
                              solver != 0,
                              decisive != 0,
                              reuses != 0,
                              static_cast<std::size_t>(tree_megabytes * kMegabyte),
                              static_cast<std::size_t>(table_entries)};
    with_checked_shape(columns, rows, connect, [&](auto shape) {
      made = std::make_unique<TreeDoor>(columns, rows, connect,
                                        std::make_unique<Mcts<decltype(shape)>>(shape, options))
                 .release();
    });
  });
  return made;
}
CLAIMEVEN_WEB(mcts_delete) void mcts_delete(TreeDoor* tree) { delete tree; }

// The answer: simulations, reused, nodes, depth, is the tree full, lookups, hits, replaced, seconds; how
// often replies of each length were asked for and played; then column, visits, mean, what is proved (2:
// nothing).
CLAIMEVEN_WEB(mcts_run)
int mcts_run(TreeDoor* tree, std::uint64_t mine_low, std::uint64_t mine_high, std::uint64_t mask_low,
             std::uint64_t mask_high, std::uint64_t seed, int depth, double simulations, double seconds) {
  using namespace claimeven;
  const Place place{tree->columns, tree->rows, tree->connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    if (depth < 1) throw std::invalid_argument("depth must be at least 1");
    web::at(place, [&](const auto& shape, const auto& stones) {
      check_to_move(shape, stones);
      Limit limit = web::limit_of(simulations, seconds);
      const MctsResult result = tree->mcts->run(stones.mine, stones.mask, limit, depth, seed);
      web::put(result.simulations, result.reused, result.nodes, result.depth, result.is_full, result.lookups,
               result.hits, result.replaced, result.seconds);
      for (const auto& hits : result.replies) web::put(hits.asked, hits.played);
      for (const MctsColumn& column : result.columns) {
        web::put(column.column, column.visits, column.mean, column.proven == kUnproven ? 2 : column.proven);
      }
    });
  });
}
