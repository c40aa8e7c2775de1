// A little search on top of a network: every line of a few moves, all its positions evaluated in one batch.
//
// Alpha-beta would look at fewer positions, but one after the other: a batch costs a fraction of that.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "agents/network/network.hpp"
#include "board/limit.hpp"

namespace claimeven {

class NetworkSearch {
 public:
  using Position = Network::Position;
  using Values = std::array<float, Network::kColumns>;

  explicit NetworkSearch(const Network& network) : network_(network) {}

  // How much the network alone wants every column; minus infinity for a full one. Where a part of it says
  // so, that part looks at the boards that follow: what each of its columns leads to, and no reply.
  Values wishes(const Position& position) {
    if (const float ahead = network_.ahead(position)) return values(position, 1, ahead, &position);
    Network::Outlooks outlooks;
    network_.outlooks({&position, 1}, &outlooks);
    Values wishes;
    std::ranges::transform(outlooks, wishes.begin(),
                           [](const Network::Outlook& outlook) { return outlook.wish; });
    return wishes;
  }

  // What every column is worth, from -1 (lost) to 1 (won) and a little more the sooner it is; minus infinity
  // for a full one. What follows a column counts `ahead` times as much as what the network sees in it, and
  // is asked of the part that is asked of `like`, if anything is. Every board that is looked at counts for
  // the limit: a ply for which it is too short is as if it had not been asked for. One ply there is always.
  Values values(const Position& root, int depth, float ahead = 1, const Position* like = nullptr,
                Limit* limit = nullptr) {
    ahead_ = ahead;
    nodes_.clear();
    outlooks_.clear();
    nodes_.push_back({root, {}, {}});
    std::size_t level = 0;
    for (depth_ = 0; depth_ < depth; ++depth_) {
      const std::size_t end = nodes_.size();
      for (std::size_t i = level; i < end; ++i) expand(i);
      if (!look(like, limit)) {
        nodes_.resize(end);
        for (std::size_t i = level; i < end; ++i) nodes_[i].is_expanded = false;
        break;
      }
      level = end;
    }
    Values values{};
    for (std::size_t i = nodes_.size(); i-- > 0;) {  // children come after their parents
      Node& node = nodes_[i];
      node.value = -std::numeric_limits<float>::infinity();
      for (int column = 0; column < Network::kColumns; ++column) {
        values[column] = value_of(node, &outlooks_[i * Network::kColumns], column);
        node.value = std::max(node.value, values[column]);
      }
    }
    return values;
  }

  int depth() const { return depth_; }  // of the last search
  std::size_t evaluated() const { return nodes_.size(); }

 private:
  static constexpr std::int32_t kNone = 0, kWon = -1, kDrawn = -2;  // else: the number of the child

  struct Node {
    Position position;
    std::array<std::int32_t, Network::kColumns> children;
    float value;
    bool is_expanded = false;
  };

  void expand(std::size_t number) {
    constexpr Network::Shape shape{};
    const Position position = nodes_[number].position;
    const Word64 landings = landing_cells(shape, position.mask);
    const Word64 wins = landings & winning_cells(shape, position.mine, position.mask);
    nodes_[number].is_expanded = true;
    for (int column = 0; column < Network::kColumns; ++column) {
      const Word64 cell = landings & column_cells(shape, column);
      if (!cell) continue;
      const Position next = position.play(cell);
      if (cell & wins) {
        nodes_[number].children[column] = kWon;
      } else if (next.mask == shape.full) {
        nodes_[number].children[column] = kDrawn;
      } else if (!wins) {  // whoever can win does
        nodes_[number].children[column] = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back({next, {}, {}});
      }
    }
  }

  // The network's outlooks of all boards that it has not seen yet; false: the limit came first.
  bool look(const Position* like, Limit* limit) {
    const std::size_t most = limit && depth_ > 0 ? Network::kBatch : nodes_.size();
    for (std::size_t first = outlooks_.size() / Network::kColumns; first < nodes_.size();) {
      const std::size_t end = std::min(first + most, nodes_.size());
      positions_.clear();
      for (; first < end; ++first) {
        if (limit && !limit->tick() && depth_ > 0) return false;
        positions_.push_back(nodes_[first].position);
      }
      outlooks_.resize(end * Network::kColumns);
      Network::Outlook* outlooks = &outlooks_[(end - positions_.size()) * Network::kColumns];
      network_.outlooks(positions_, reinterpret_cast<Network::Outlooks*>(outlooks), like);
    }
    return true;
  }

  float value_of(const Node& node, const Network::Outlook* outlooks, int column) const {
    if (outlooks[column].wish == -std::numeric_limits<float>::infinity()) return outlooks[column].wish;
    const float seen = network_.worth(outlooks[column]);
    if (!node.is_expanded) return seen;
    switch (node.children[column]) {
      case kWon:
        return network_.worth_of_win((Network::kColumns * Network::kRows + 1 - node.position.ply()) / 2);
      case kDrawn:
        return 0;
      case kNone:
        return seen - 2;  // it passes over a win
      default:
        return (seen - ahead_ * nodes_[node.children[column]].value) / (1 + ahead_);
    }
  }

  const Network& network_;
  float ahead_ = 1;
  int depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<Position> positions_;
  std::vector<Network::Outlook> outlooks_;
};

}  // namespace claimeven
