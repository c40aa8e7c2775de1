// Monte Carlo tree search: UCT (Kocsis and Szepesvári 2006) with every extra as an option, so that any two
// variants can be compared fairly.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "agents/playout.hpp"
#include "agents/tree.hpp"
#include "board/board.hpp"
#include "board/limit.hpp"

namespace claimeven {

struct MctsOptions {
  double exploration = 0.7;       // of UCB1, for values from 0 to 1
  int replies = 0;                // length of last good replies, 0 to 3
  bool forgets = false;           // replies that lost
  bool solver = false;            // proven wins, draws and losses go up the tree (Winands et al. 2008)
  bool decisive = false;          // playouts complete and stop lines (Teytaud and Teytaud 2010)
  bool reuses = false;            // the tree of the search before
  std::size_t tree_bytes = 0;     // the tree stops growing there
  std::size_t table_entries = 0;  // of the transposition table; 0: none
};

struct MctsColumn {
  int column;
  std::uint32_t visits;
  double mean;  // from 0 to 1, for the side to move
  int proven;   // for the side to move
};

struct MctsResult {
  std::vector<MctsColumn> columns;
  std::uint64_t simulations = 0;
  std::uint64_t reused = 0;                           // visits of the root that the search before had made
  std::uint64_t nodes = 0;                            // of the tree
  int depth = 0;                                      // of the tree
  bool is_full = false;                               // the tree could not grow any more
  std::uint64_t lookups = 0, hits = 0, replaced = 0;  // of the transposition table
  std::array<ReplyHits, Replies::kLongest + 1> replies{};
  double seconds = 0;
};

// The door to all shapes.
class MctsBase {
 public:
  virtual ~MctsBase() = default;
  // The position is not over. `max_depth` bounds the tree, not the playouts.
  virtual MctsResult run(Word128 mine, Word128 mask, Limit& limit, int max_depth, std::uint64_t seed) = 0;
};

template <class Shape>
class Mcts final : public MctsBase {
 public:
  using Word = typename Shape::Word;
  using Index = typename Tree<Shape>::Index;

  Mcts(const Shape& shape, const MctsOptions& options)
      : shape_(shape),
        options_(options),
        tree_(shape, options.tree_bytes, options.table_entries),
        replies_(shape.columns * (shape.rows + 1), options.replies, options.forgets) {
    static const auto roots = [] {
      std::array<float, kRoots> table{};
      for (std::size_t n = 1; n < kRoots; ++n) table[n] = root_of_log(n);
      return table;
    }();
    for (std::size_t n = 0; n < kRoots; ++n) small_[n] = static_cast<float>(options.exploration) * roots[n];
  }

  MctsResult run(Word128 mine, Word128 mask, Limit& limit, int max_depth, std::uint64_t seed) override {
    limit.look_every(32);
    Random random(seed);
    result_ = {};
    const Stones<Shape> stones{static_cast<Word>(mine), static_cast<Word>(mask)};
    tree_.lookups = tree_.hits = 0;
    if (!options_.reuses || !tree_.advance(stones)) {
      tree_.start(stones);
      replies_.clear();
    }
    result_.reused = tree_[0].visits;
    while (!is_decided() && limit.tick()) simulate(max_depth, random);
    for (Index child = tree_[0].first; child < tree_[0].first + tree_[0].count; ++child) {
      const Node& held = tree_[tree_.holder(child)];
      result_.columns.push_back({column_of(shape_, Word{1} << tree_[child].cell), tree_[child].tries,
                                 held.mean, (options_.solver || held.is_end) ? held.proven : kUnproven});
    }
    result_.nodes = tree_.size();
    result_.is_full = tree_.is_full();
    result_.lookups = tree_.lookups, result_.hits = tree_.hits, result_.replaced = tree_.replaced();
    result_.simulations = limit.nodes();
    result_.seconds = limit.seconds();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kRoots = 4096;

  bool is_decided() const { return options_.solver && tree_[0].proven != kUnproven; }

  void simulate(int max_depth, Random& random) {
    // 1. Select: go down to a leaf of the tree.
    Stones<Shape> stones = tree_.root();
    Index path[129] = {0};
    int depth = 0;
    Index node = 0;
    line_.length = 0;
    const auto descend = [&](Index child) {
      const Node& move = tree_[child];
      line_.push(move.cell);
      stones = stones.play(Word{1} << move.cell);
      path[++depth] = child;
      node = tree_.holder(child);
    };
    while (tree_[node].count > 0 && !is_known(node)) descend(select(node));
    // 2. Expand: a leaf that was visited before gets children, and the first of them is tried.
    if ((tree_[node].visits > 0 || depth == 0) && depth < max_depth && !is_known(node) && !tree_.is_full()) {
      tree_.expand(node, stones, random);
      if (options_.solver) prove(path, depth);
      if (!is_known(node)) descend(select(node));
    }
    result_.depth = std::max(result_.depth, depth);
    // 3. Play out, unless the result is known.
    const int first_side = tree_.root().ply() & 1, mover = (first_side + depth + 1) & 1;  // who moved last
    int winner;
    if (is_known(node) && depth > 0) {
      const int proven = tree_[node].proven;
      winner = proven == 0 ? kDraw : proven > 0 ? mover : mover ^ 1;
    } else if (options_.replies > 0 || options_.decisive) {
      winner = guided_playout(shape_, stones, options_.decisive, replies_, line_, result_.replies, random);
    } else {
      winner = random_playout(shape_, stones, random);
    }
    if (options_.replies > 0) replies_.learn(line_, first_side, winner);
    // 4. Back up.
    for (int i = depth; i >= 0; --i) {
      const int side = (first_side + i + 1) & 1;
      Node& held = tree_[tree_.holder(path[i])];
      if (held.has_draw && winner == side) winner = kDraw;  // the other side would take the draw
      tree_[path[i]].add_try();
      held.add_visit(winner == kDraw ? 1 : winner == side ? 2 : 0);
    }
    if (options_.solver && is_known(node)) prove(path, depth - 1);
  }

  // The result from here on need not be played out: the game is over or, with the solver, decided.
  bool is_known(Index node) const {
    return tree_[node].is_end || (options_.solver && tree_[node].proven != kUnproven);
  }

  // The child with the highest upper confidence bound; the first untried one if there is any. What is
  // proven need not be tried again.
  Index select(Index parent) const {
    const Node& node = tree_[parent];
    const float weight = exploration(node.visits);
    Index best = node.first;
    float best_bound = -1;
    for (Index child = node.first; child < node.first + node.count; ++child) {
      const Node& move = tree_[child];
      const Node& held = move.is_link() ? tree_[move.first] : move;
      if (options_.solver && held.proven != kUnproven) continue;
      if (move.tries == 0) return child;
      const float bound = held.mean + weight * move.spread;
      if (bound > best_bound) best_bound = bound, best = child;
    }
    return best;
  }

  // Most nodes have few visits: their logarithms are looked up.
  float exploration(std::uint32_t visits) const {
    return visits < kRoots ? small_[visits] : static_cast<float>(options_.exploration) * root_of_log(visits);
  }
  static float root_of_log(std::size_t visits) {
    return static_cast<float>(std::sqrt(std::log(static_cast<double>(visits))));
  }

  // From path[depth] up: a position is lost for who moved into it when one of its moves wins; it is won
  // or drawn when all moves are proven and none wins.
  void prove(const Index* path, int depth) {
    for (; depth >= 0; --depth) {
      Node& node = tree_[tree_.holder(path[depth])];
      if (node.proven != kUnproven || node.count == 0) return;
      int best = -1;
      bool is_open = false;
      for (Index child = node.first; child < node.first + node.count; ++child) {
        const int proven = tree_[tree_.holder(child)].proven;
        if (proven == kUnproven) {
          is_open = true;
        } else {
          best = std::max(best, proven);
        }
      }
      if (best < 1 && is_open) {
        node.has_draw = best == 0;
        return;
      }
      node.proven = static_cast<std::int8_t>(-best);
    }
  }

  const Shape shape_;
  const MctsOptions options_;
  Tree<Shape> tree_;
  Replies replies_;
  Line line_;
  MctsResult result_;
  std::array<float, kRoots> small_;
};

}  // namespace claimeven
