// How n-tuple networks learn: from games against themselves, or from exact labels.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/ntuple.hpp"
#include "board/random.hpp"

namespace claimeven {

struct NTupleRule {
  float alpha = 1;       // of all tables together
  float lambda = 0.8f;   // how much of what comes later counts, and not what the next position is worth
  float epsilon = 0.1f;  // share of random moves
  int openings = 12;     // at most so many random moves begin a game
};

// By games it learns with step sizes of its own for every weight: temporal coherence (Beal and Smith 1999),
// by which a weight that is pushed here and there moves less than one that is pushed one way. By labels the
// step of a weight shrinks with the squares of its pushes (AdaGrad: Duchi and others 2011).
class NTupleLearner {
 public:
  using Position = NTuples::Position;

  explicit NTupleLearner(NTuples& net)
      : net_(net), pushed_(net.weights().size(), 0), moved_(net.weights().size(), 0) {}

  std::span<float> pushed() { return pushed_; }
  std::span<float> moved() { return moved_; }

  // A game depends on its number, the seed and what was learned before.
  template <class Poll>
  void play(std::uint64_t first_game, std::uint64_t games, std::uint64_t seed, const NTupleRule& rule,
            Poll poll) {
    for (std::uint64_t number = first_game; number < first_game + games; ++number) {
      if ((number - first_game) % 256 == 255) poll();
      Random random(scrambled(seed ^ scrambled(number + 1)));
      play_one(random, rule);
    }
  }

  // Exact scores of every column (kNone: of one that is not learned from): what each is worth, and above all
  // that those which keep the outcome are worth more than the others.
  using Scores = std::array<std::int8_t, NTuples::kColumns>;
  static constexpr std::int8_t kNone = -128;

  void learn(const Position& position, const Scores& scores, float rate) {
    float known;
    if (NTuples::is_known(position, known)) return;
    struct Column {
      float sum = 0, wish = 0;
      int outcome = 0;
      bool is_open = false, learns = false;
    } columns[NTuples::kColumns];
    int most = -1;
    float total = 0, keeping = 0;
    for (std::size_t c = 0; c < NTuples::kColumns; ++c) {
      const Word64 cell = landing_cells(NTuples::Shape{}, position.mask) &
                          column_cells(NTuples::Shape{}, static_cast<int>(c));
      if (!cell || scores[c] == kNone) continue;
      const Position after = position.play(cell);
      Column& column = columns[c];
      column.outcome = (scores[c] > 0) - (scores[c] < 0);
      most = std::max(most, column.outcome);
      if (NTuples::is_known(after, known)) {
        column.is_open = known <= 0;  // the rules rule out what loses at once
      } else {
        net_.find_places(after, places_of_[c]);
        for (const auto place : places_of_[c]) column.sum += net_.weights()[place];
        column.is_open = column.learns = true;
      }
      if (column.is_open) total += column.wish = std::exp(-std::clamp(column.sum, -20.0f, 20.0f));
    }
    for (const Column& column : columns) {
      if (column.is_open && column.outcome == most) keeping += column.wish;
    }
    for (std::size_t c = 0; c < NTuples::kColumns; ++c) {
      const Column& column = columns[c];
      if (!column.learns) continue;
      const float kept = column.outcome == most ? column.wish / keeping : 0;
      const float wanted = keeping > 0 ? kept - column.wish / total : 0;
      const float push = kWorth * (static_cast<float>(-column.outcome) - std::tanh(column.sum)) - wanted;
      if (std::abs(push) < kSlight) continue;
      for (const auto place : places_of_[c]) {
        moved_[place] += push * push;
        net_.weights()[place] += rate * push / std::sqrt(moved_[place] + 1);
      }
    }
  }

  // Moves what a position is worth towards a target from -1 to 1.
  void move(const Position& position, float target, float alpha) {
    net_.find_places(position, places_);
    float sum = 0;
    for (const auto place : places_) sum += net_.weights()[place];
    const float value = std::tanh(sum);
    const float delta = target - value;  // as by cross-entropy: what is surely wrong is pushed hardest
    step(delta, alpha / static_cast<float>(places_.size()));
  }

 private:
  void step(float delta, float alpha) {
    const auto weights = net_.weights();
    for (const auto place : places_) {
      float &pushed = pushed_[place], &moved = moved_[place];
      const float rate = moved > 0 ? std::abs(pushed) / moved : 1;
      weights[place] += alpha * rate * delta;
      pushed += delta;
      moved += std::abs(delta);
    }
  }

  struct Move {
    Position before;
    float best;  // what the best column is worth
    bool is_best;
  };

  void play_one(Random& random, const NTupleRule& rule) {
    Move moves[42];
    int length = 0;
    const int opening = static_cast<int>(random.below(static_cast<std::uint32_t>(rule.openings) + 1));
    Position position;
    float known;
    while (!NTuples::is_known(position, known)) {
      const auto values = net_.values(position);
      int column = NTuples::best(values);
      const float best = values[static_cast<std::size_t>(column)];
      const bool by_chance = length < opening || unit(random.next()) < static_cast<double>(rule.epsilon);
      if (by_chance) {
        do column = static_cast<int>(random.below(NTuples::kColumns));
        while (values[static_cast<std::size_t>(column)] == NTuples::kFull);
      }
      const bool is_best = values[static_cast<std::size_t>(column)] == best;
      moves[length++] = {position, best, is_best};
      const Word64 cell =
          landing_cells(NTuples::Shape{}, position.mask) & column_cells(NTuples::Shape{}, column);
      position = position.play(cell);
    }
    float after = known;  // of the position after the move, to who moves there
    for (int i = length - 1; i >= 0; --i) {
      const Move& one = moves[i];
      const float target = one.is_best ? (1 - rule.lambda) * one.best - rule.lambda * after : one.best;
      move(one.before, target, rule.alpha);
      after = target;
    }
  }

  static constexpr float kWorth = 0.5f;    // how much the worth of a column counts beside its rank
  static constexpr float kSlight = 0.03f;  // a push that is not worth the time

  NTuples& net_;
  std::vector<float> pushed_, moved_;  // sums of the pushes of each weight, and of their sizes
  NTuples::Places places_, places_of_[NTuples::kColumns];
};

}  // namespace claimeven
