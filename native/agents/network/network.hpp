// A network that plays: the layers of one, or of several, each of which knows a part of the game, and what is
// made of their outputs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "agents/network/layers.hpp"

namespace claimeven {

class Network {
 public:
  using Shape = Layers::Shape;
  using Position = Layers::Position;
  using Size = Layers::Size;
  static constexpr int kColumns = Layers::kColumns, kRows = Layers::kRows, kOutputs = Layers::kOutputs;
  static constexpr std::size_t kBatch = Layers::kBatch;  // that many together are evaluated fastest

  // What is thought of a column. Of one that is full `wish` is minus infinity.
  struct Outlook {
    float wish, win, draw, loss, score;
  };
  using Outlooks = Outlook[kColumns];

  // The worth of a score is 1 for a win, -1 for a loss, and up to `slope` more the sooner they come.
  explicit Network(float slope) : slope_(slope) {}

  // Layers for positions of so many stones and more, in ascending order; the first for all from 0. A column
  // is wanted as they wish, plus `weigh` times the expected worth of its scores; with `ahead`, as it looks
  // and that many times as the board that follows it (search.hpp).
  void add(int stones, const Size& size, float weigh, std::span<const std::uint8_t> weights,
           float ahead = 0) {
    const bool fits = parts_.empty() ? stones == 0 : stones > last_ && stones < kColumns * kRows;
    if (!fits) throw std::invalid_argument("network: its parts must begin at 0 stones, and at more and more");
    if (!(ahead >= 0)) throw std::invalid_argument("network: boards that follow count something, or nothing");
    std::fill(part_of_.begin() + stones, part_of_.end(), parts_.size());
    parts_.push_back({Layers(size, weights), weigh, ahead});
    last_ = stones;
  }

  // outputs[position][column][output], as PyTorch has them.
  void outputs(std::span<const Position> positions, float* found) const {
    evaluate(positions, nullptr, [&](std::size_t place, const Part&, const float* outputs) {
      std::copy_n(outputs, Layers::kEach, found + place * Layers::kEach);
    });
  }

  // With `like`, all of them are asked of the part that is asked of that position.
  void outlooks(std::span<const Position> positions, Outlooks* found, const Position* like = nullptr) const {
    evaluate(positions, like, [&](std::size_t place, const Part& part, const float* outputs) {
      const Word64 landings = landing_cells(Shape{}, positions[place].mask);
      for (int column = 0; column < kColumns; ++column) {
        Outlook& outlook = found[place][column];
        outlook = outlook_of(outputs + column * kOutputs, part.weigh);
        if (!(landings & column_cells(Shape{}, column)))
          outlook.wish = -std::numeric_limits<float>::infinity();
      }
    });
  }

  // How many times as much as its own outlook of a column the board that follows it counts; 0: not at all.
  float ahead(const Position& position) const { return parts_[part_of(position)].ahead; }

  // From -1 (lost) to 1 (won), and up to `slope` more the sooner it is.
  float worth(const Outlook& outlook) const {
    return outlook.win - outlook.loss + slope_ * outlook.score / kMostScore;
  }
  float slope() const { return slope_; }
  float worth_of_win(int score) const { return 1 + slope_ * static_cast<float>(score) / kMostScore; }

 private:
  static constexpr int kMostScore = Layers::kBins / 2;

  struct Part {
    Layers layers;
    float weigh, ahead;
  };

  std::size_t part_of(const Position& position) const {
    return part_of_[static_cast<std::size_t>(position.ply())];
  }

  // Calls action(place of the position, its part, its outputs). Those of one part are evaluated together.
  template <class Action>
  void evaluate(std::span<const Position> positions, const Position* like, Action action) const {
    std::vector<float> outputs(Layers::kBatch * Layers::kEach);
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      const Part& part = parts_[number];
      std::optional<Layers::Work> work;
      std::array<Position, Layers::kBatch> batch;
      std::array<std::size_t, Layers::kBatch> places;
      std::size_t count = 0;
      const auto finish = [&] {
        if (!work) work.emplace(part.layers.work());
        part.layers.evaluate(std::span(batch).first(count), *work, outputs.data());
        for (std::size_t i = 0; i < count; ++i) action(places[i], part, &outputs[i * Layers::kEach]);
        count = 0;
      };
      for (std::size_t place = 0; place < positions.size(); ++place) {
        if (part_of(like ? *like : positions[place]) != number) continue;
        batch[count] = positions[place], places[count++] = place;
        if (count == Layers::kBatch) finish();
      }
      if (count) finish();
    }
  }

  Outlook outlook_of(const float* outputs, float weigh) const {
    const float* logits = outputs + 1;
    const float most = *std::max_element(logits, logits + Layers::kBins);
    Outlook outlook{};
    float sum = 0;
    for (int bin = 0; bin < Layers::kBins; ++bin) {
      const float chance = std::exp(logits[bin] - most);
      const int score = bin - kMostScore;
      (score > 0 ? outlook.win : score < 0 ? outlook.loss : outlook.draw) += chance;
      outlook.score += chance * static_cast<float>(score);
      sum += chance;
    }
    for (float* number : {&outlook.win, &outlook.draw, &outlook.loss, &outlook.score}) *number /= sum;
    outlook.wish = outputs[0] + weigh * worth(outlook);
    return outlook;
  }

  const float slope_;
  std::vector<Part> parts_;
  std::array<std::size_t, kColumns * kRows + 1> part_of_{};  // by stones
  int last_ = 0;                                             // stones from which the last part is asked
};

}  // namespace claimeven
