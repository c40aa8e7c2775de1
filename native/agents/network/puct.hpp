// PUCT with the network of this package: the agent `neural:simulations=N`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/mcts.hpp"
#include "agents/network/network.hpp"
#include "agents/puct.hpp"
#include "board/limit.hpp"

namespace claimeven {

struct PuctResult {
  std::vector<MctsColumn> columns;
  int best = 0;  // column
  std::uint64_t simulations = 0;
  std::uint64_t nodes = 0;  // of the tree
  int depth = 0;            // of the tree
  double seconds = 0;
};

class NetworkPuct {
 public:
  using Shape = Network::Shape;
  using Position = Network::Position;

  NetworkPuct(const Network& network, float exploration)
      : network_(network), tree_(Shape{}, {exploration, network.slope()}) {}

  // The position is not over. A mirror image gets the mirrored answer: of the two, one is searched.
  PuctResult run(const Position& asked, Limit& limit) {
    limit.look_every(1);
    const Position turned = mirror(Shape{}, asked);
    const bool is_turned = turned.key() < asked.key();
    tree_.start(is_turned ? turned : asked);
    evaluate();
    while (!tree_.is_decided() && !limit.has_ended()) {
      // Few at first: while little is known all would go the same way.
      const std::size_t together = std::clamp<std::size_t>(tree_.size() / 4, 1, kTogether);
      while (tree_.waiting() < together && !tree_.is_decided() && limit.tick()) {
        if (tree_.step()) continue;
        evaluate();  // all went the same way: now there is more to go by
        tree_.step();
      }
      evaluate();
    }
    PuctResult result;
    const auto column_of = [&](const auto& edge) {
      return is_turned ? Shape::columns - 1 - edge.column : edge.column;
    };
    for (const auto& edge : tree_.edges()) {
      const double mean = std::clamp((1 + edge.mean()) / 2, 0.0f, 1.0f);
      result.columns.push_back({column_of(edge), edge.visits, mean, edge.proven});
    }
    if (is_turned) std::ranges::reverse(result.columns);
    result.best = column_of(tree_.best());
    result.simulations = limit.nodes();
    result.nodes = tree_.size();
    result.depth = tree_.depth();
    result.seconds = limit.seconds();
    return result;
  }

 private:
  static constexpr std::size_t kTogether = 8;

  void evaluate() {
    positions_.clear();
    for (std::size_t i = 0; i < tree_.waiting(); ++i) positions_.push_back(tree_.leaf(i));
    outlooks_.resize(positions_.size() * Network::kColumns);
    network_.outlooks(positions_, reinterpret_cast<Network::Outlooks*>(outlooks_.data()));
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      float wishes[Network::kColumns], values[Network::kColumns];
      for (int column = 0; column < Network::kColumns; ++column) {
        const Network::Outlook& outlook = outlooks_[i * Network::kColumns + column];
        wishes[column] = outlook.wish, values[column] = network_.worth(outlook);
      }
      tree_.learn(wishes, values);
    }
  }

  const Network& network_;
  PuctTree<Shape> tree_;
  std::vector<Position> positions_;
  std::vector<Network::Outlook> outlooks_;
};

}  // namespace claimeven
