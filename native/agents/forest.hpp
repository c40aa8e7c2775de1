// Many search trees side by side, one for every game of a training by self-play: their leaves are evaluated
// together, by whoever has a network and a device for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include "agents/puct.hpp"

namespace claimeven {

struct ForestOptions {
  PuctOptions puct;
  std::uint32_t simulations = 0;  // of every tree
  unsigned threads = 1;
};

// What a search found of a column.
struct Found {
  float share;  // of the moves that it would make there, the sum over columns is 1
  float mean;   // what the column is worth, from -1 to 1; not a number when nothing was tried and proved
};

// The door to all shapes.
class ForestBase {
 public:
  virtual ~ForestBase() = default;
  virtual void start(std::span<const Word64> mine, std::span<const Word64> mask) = 0;
  virtual void leaves(std::vector<Word64>& mine, std::vector<Word64>& mask) = 0;
  virtual void learn(std::span<const float> wishes, std::span<const float> values) = 0;
  virtual void stir(std::span<const float> noise, float share) = 0;
  virtual void found(std::vector<Found>& found, std::vector<std::int8_t>& best) const = 0;
};

template <class Shape>
class Forest final : public ForestBase {
 public:
  Forest(const Shape& shape, const ForestOptions& options) : shape_(shape), options_(options) {}

  void start(std::span<const Word64> mine, std::span<const Word64> mask) override {
    trees_.resize(mine.size(), PuctTree<Shape>(shape_, options_.puct));
    steps_.assign(mine.size(), 0);
    for (std::size_t i = 0; i < trees_.size(); ++i) trees_[i].start({mine[i], mask[i]});
  }

  // Every tree that has simulations left goes on until it waits; nothing is left when all have ended.
  void leaves(std::vector<Word64>& mine, std::vector<Word64>& mask) override {
    in_threads(trees_.size(), [&](std::size_t i) {
      auto& tree = trees_[i];
      while (!tree.waiting() && !tree.is_decided() && steps_[i] < options_.simulations) {
        tree.step();
        ++steps_[i];
      }
      if (tree.is_decided()) tree.forget();
    });
    asked_.clear(), mine.clear(), mask.clear();
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (!trees_[i].waiting()) continue;
      asked_.push_back(i);
      mine.push_back(trees_[i].leaf(0).mine), mask.push_back(trees_[i].leaf(0).mask);
    }
  }

  // [leaf][column], in the order of `leaves`.
  void learn(std::span<const float> wishes, std::span<const float> values) override {
    in_threads(asked_.size(), [&](std::size_t i) {
      const std::size_t from = i * shape_.columns;
      trees_[asked_[i]].learn(wishes.subspan(from), values.subspan(from));
    });
    asked_.clear();
  }

  void stir(std::span<const float> noise, float share) override {
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (!trees_[i].is_decided()) trees_[i].stir(noise.subspan(i * shape_.columns), share);
    }
  }

  // [tree][column], and the column of every tree that it would play.
  void found(std::vector<Found>& found, std::vector<std::int8_t>& best) const override {
    found.assign(trees_.size() * shape_.columns, {0, std::numeric_limits<float>::quiet_NaN()});
    best.clear();
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      const auto& tree = trees_[i];
      float visits = 0;
      for (const auto& edge : tree.edges()) visits += edge.proven == -1 ? 0 : static_cast<float>(edge.visits);
      best.push_back(tree.best().column);
      for (const auto& edge : tree.edges()) {
        Found& column = found[i * shape_.columns + edge.column];
        if (edge.visits > 0 || edge.proven != kUnproven) column.mean = edge.mean();
        if (tree.is_decided() || visits == 0)
          column.share = edge.column == best.back();
        else if (edge.proven != -1)
          column.share = static_cast<float>(edge.visits) / visits;
      }
    }
  }

 private:
  template <class Action>
  void in_threads(std::size_t count, Action action) {
    const std::size_t each = count / options_.threads + 1;
    std::vector<std::jthread> others;
    const auto part = [&](std::size_t from) {
      for (std::size_t i = from; i < std::min(from + each, count); ++i) action(i);
    };
    for (std::size_t from = each; from < count; from += each) others.emplace_back(part, from);
    part(0);
  }

  const Shape shape_;
  const ForestOptions options_;
  std::vector<PuctTree<Shape>> trees_;
  std::vector<std::uint32_t> steps_;  // simulations of every tree
  std::vector<std::size_t> asked_;    // trees whose leaves were handed out
};

}  // namespace claimeven
