// A search tree guided by a network: PUCT (Rosin 2011) as AlphaZero has it (Silver and others 2018).
//
// Who evaluates positions is not said here: `step` goes down to a position that nobody has evaluated yet,
// `learn` is told what is thought of it. Several may wait at once, so that they are evaluated together.
//
// The network's word on a column counts like one visit of it. What the rules decide is not asked of the
// network: a win at hand, the full board, and a move after which the other side wins at once. Such ends are
// carried up (Winands and others 2008): a proven loss is never tried, a position with a proven win is won.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/tree.hpp"
#include "board/board.hpp"

namespace claimeven {

struct PuctOptions {
  float exploration = 1.0f;
  float slope = 0.0f;  // a win is worth 1 and up to this more the sooner it comes
};

template <class Shape>
class PuctTree {
 public:
  using Word = typename Shape::Word;
  using Position = Stones<Shape>;
  using Index = std::uint32_t;

  struct Edge {
    float prior;  // 0 of a proven loss
    float value;  // as the network sees the column, for who plays it; what it is worth when that is proven
    float sum;    // of the values of its visits
    std::uint32_t visits;
    Index child;  // 0: none yet
    std::int8_t column;
    std::int8_t proven;  // 1, 0, -1 or kUnproven
    bool stops;          // a line of the other side

    float mean() const {
      return proven == kUnproven ? (value + sum) / (1 + static_cast<float>(visits)) : value;
    }
  };

  PuctTree(const Shape& shape, const PuctOptions& options) : shape_(shape), options_(options) {}

  // A tree of its root alone, which waits for its evaluation unless the rules decide it.
  void start(const Position& root) {
    nodes_.clear(), edges_.clear(), waiting_.clear();
    depth_ = 0;
    if (expand(root)) waiting_.push_back({0, {}});
  }

  std::span<const Edge> edges() const { return edges_of(nodes_[0]); }
  bool is_decided() const { return nodes_[0].proven != kUnproven; }
  std::size_t size() const { return nodes_.size(); }
  int depth() const { return depth_; }

  // Positions that wait, in the order in which `learn` is told about them.
  std::size_t waiting() const { return waiting_.size(); }
  const Position& leaf(std::size_t number) const { return nodes_[waiting_[number].node].position; }

  void forget() { waiting_.clear(); }  // nobody will evaluate them

  // One simulation: as far as the tree is known. False when it came to a position that waits already: then
  // nothing was counted. The root must have been evaluated and not be decided.
  bool step() {
    path_.clear();
    Index at = 0;
    while (true) {
      if (nodes_[at].is_waiting) {
        for (const Index passed : path_) --edges_[passed].visits, edges_[passed].sum += kPatience;
        return false;
      }
      const Index chosen = select(nodes_[at]);
      path_.push_back(chosen);
      // Until it is evaluated a visit counts as lost: others that go down meanwhile look elsewhere.
      ++edges_[chosen].visits, edges_[chosen].sum -= kPatience;
      depth_ = std::max(depth_, static_cast<int>(path_.size()));
      if (edges_[chosen].proven != kUnproven) break;
      if (!edges_[chosen].child) {
        const auto child = static_cast<Index>(nodes_.size());
        const Position next = after(nodes_[at].position, edges_[chosen].column);
        edges_[chosen].child = child;
        if (expand(next)) {
          waiting_.push_back({child, path_});
          return true;
        }
        break;
      }
      at = edges_[chosen].child;
    }
    prove(path_);
    back_up(path_, edges_[path_.back()].value);
    return true;
  }

  // What is thought of the position that has waited longest: by column of the board, how much it is wanted (a
  // logit) and what it is worth to who plays it.
  template <class Numbers>
  void learn(const Numbers& wishes, const Numbers& values) {
    const Waiting waited = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    Node& node = nodes_[waited.node];
    node.is_waiting = false;
    float most = -1e30f, total = 0, value = 0;
    for (const Edge& edge : edges_of(node)) {
      if (edge.proven != -1) most = std::max(most, static_cast<float>(wishes[edge.column]));
    }
    for (Edge& edge : edges_of(node)) {
      if (edge.proven == -1) continue;
      if (edge.proven == kUnproven) edge.value = static_cast<float>(values[edge.column]);
      edge.prior = std::exp(static_cast<float>(wishes[edge.column]) - most);
      total += edge.prior;
      value += edge.prior * edge.value;
    }
    for (Edge& edge : edges_of(node)) edge.prior /= total;
    back_up(waited.path, -value / total);
  }

  // The columns of the root are wanted by so much more or less: noise, for who plays to learn.
  template <class Numbers>
  void stir(const Numbers& noise, float share) {
    float total = 0;
    for (Edge& edge : edges_of(nodes_[0])) {
      if (edge.proven == -1) continue;
      edge.prior = (1 - share) * edge.prior + share * static_cast<float>(noise[edge.column]);
      total += edge.prior;
    }
    for (Edge& edge : edges_of(nodes_[0])) edge.prior /= total;
  }

  // A proven win, the quickest; else the column visited most, a proven loss only where all are lost.
  const Edge& best() const {
    return *std::ranges::max_element(edges(), [](const Edge& a, const Edge& b) {
      if (rank(a) != rank(b)) return rank(a) < rank(b);
      if (rank(a) == 0 && a.visits != b.visits) return a.visits < b.visits;
      if (a.mean() != b.mean()) return a.mean() < b.mean();
      return a.stops < b.stops;  // where all is lost somebody may still overlook the other line
    });
  }

 private:
  static constexpr float kPatience = 1;  // what a visit that waits has lost

  struct Node {
    Position position;
    Index first;  // of its edges
    std::int8_t count;
    std::int8_t proven;  // for the side to move
    bool is_waiting;
  };

  struct Waiting {
    Index node;
    std::vector<Index> path;  // of edges, from the root
  };

  static int rank(const Edge& edge) { return edge.proven == 1 ? 1 : edge.proven == -1 ? -1 : 0; }

  std::span<Edge> edges_of(const Node& node) {
    return {&edges_[node.first], static_cast<std::size_t>(node.count)};
  }
  std::span<const Edge> edges_of(const Node& node) const {
    return {&edges_[node.first], static_cast<std::size_t>(node.count)};
  }

  Position after(const Position& position, int column) const {
    return position.play(landing_cells(shape_, position.mask) & column_cells(shape_, column));
  }

  // What a win with the stone that comes after `ply` others is worth.
  float worth_of_win(int ply) const {
    const int cells = shape_.columns * shape_.rows;
    return 1 + options_.slope * static_cast<float>((cells + 1 - ply) / 2) / static_cast<float>(cells / 2);
  }

  // A new position with its moves, as far as the rules decide them. Whether it waits for an evaluation.
  bool expand(const Position& position) {
    const Word landings = landing_cells(shape_, position.mask);
    const Word wins = winning_cells(shape_, position.mine, position.mask);
    const Word threats = winning_cells(shape_, position.theirs(), position.mask);
    Node node{position, static_cast<Index>(edges_.size()), 0, kUnproven, true};
    const int ply = position.ply();
    for (int column = 0; column < shape_.columns; ++column) {
      const Word cell = landings & column_cells(shape_, column);
      if (!cell) continue;
      Edge edge{0, 0, 0, 0, 0, static_cast<std::int8_t>(column), kUnproven, (cell & threats) != 0};
      const Word then = landing_cells(shape_, position.mask | cell);
      if (cell & wins) {
        edge.proven = 1, edge.value = worth_of_win(ply);
      } else if (!then) {
        edge.proven = 0;
      } else if (then & threats) {
        edge.proven = -1, edge.value = -worth_of_win(ply + 1);
      }
      edges_.push_back(edge);
      ++node.count;
    }
    nodes_.push_back(node);
    decide(nodes_.back());
    return nodes_.back().is_waiting;
  }

  // A position is won when one of its moves wins; it is lost or drawn when all are proven and none wins.
  bool decide(Node& node) {
    int best = -1;
    bool is_open = false;
    for (const Edge& edge : edges_of(node)) {
      if (edge.proven == kUnproven)
        is_open = true;
      else
        best = std::max<int>(best, edge.proven);
    }
    if (best < 1 && is_open) return false;
    node.proven = static_cast<std::int8_t>(best);
    node.is_waiting = false;
    return true;
  }

  // From the end of a path up: what is proven of positions is proven of the moves that lead there.
  void prove(const std::vector<Index>& path) {
    for (std::size_t i = path.size(); i-- > 0;) {
      Edge& edge = edges_[path[i]];
      if (edge.proven == kUnproven) {
        const Node& child = nodes_[edge.child];
        if (child.proven == kUnproven) return;
        float value = -1e30f;
        for (const Edge& reply : edges_of(child)) {
          if (reply.proven == child.proven) value = std::max(value, reply.value);
        }
        edge.proven = static_cast<std::int8_t>(-child.proven);
        edge.value = -value;
      }
      if (!decide(nodes_[i ? edges_[path[i - 1]].child : 0])) return;
    }
  }

  // `value` is that of the last move of the path, for who played it.
  void back_up(const std::vector<Index>& path, float value) {
    for (std::size_t i = path.size(); i-- > 0; value = -value) edges_[path[i]].sum += value + kPatience;
  }

  Index select(const Node& node) const {
    float visits = 1;
    for (const Edge& edge : edges_of(node)) visits += static_cast<float>(edge.visits);
    const float weight = options_.exploration * std::sqrt(visits);
    Index best = node.first;
    float best_bound = -1e30f;
    for (Index i = node.first; i < node.first + node.count; ++i) {
      const Edge& edge = edges_[i];
      if (edge.proven == -1) continue;
      const float bound = edge.mean() + weight * edge.prior / (1 + static_cast<float>(edge.visits));
      if (bound > best_bound) best_bound = bound, best = i;
    }
    return best;
  }

  Shape shape_;
  PuctOptions options_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Waiting> waiting_;
  std::vector<Index> path_;
  int depth_ = 0;
};

}  // namespace claimeven
