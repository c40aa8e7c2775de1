// n-tuples under AddressSanitizer and UndefinedBehaviorSanitizer: rows of every position that can be met lie
// inside the tables; what is learned is tested from Python.
#include <cmath>

#include "agents/ntuple_learn.hpp"
#include "check.hpp"

int main(int argc, char** argv) {
  using namespace claimeven;
  const std::uint64_t games = is_long(argc, argv) ? 2'000 : 40;
  for (const int length : {1, 3, 8}) {
    auto tuples = random_tuples(33, length, 7);  // not a multiple of the lanes
    if (length != 3) {
      for (const auto& cells : random_threats(length == 1 ? 21 : 1000, 7)) tuples.push_back(cells);
    }
    NTuples net(tuples, length == 8 ? std::vector<int>{9, 30} : std::vector<int>{});
    NTupleLearner learner(net);
    learner.play(0, games, 1, {10, 0.8f, 0.2f, 42}, [] {});
    Random random(3);
    NTuples::Position position;
    for (int move = 0; move < 4'000; ++move) {
      float known;
      if (NTuples::is_known(position, known)) position = {};
      NTupleLearner::Scores scores;
      for (auto& score : scores) score = static_cast<std::int8_t>(static_cast<int>(random.below(37)) - 18);
      scores[random.below(NTuples::kColumns)] = NTupleLearner::kNone;
      learner.learn(position, scores, 0.3f);
      const auto values = net.values(position, move % 2);
      const int column = net.choose(position);
      CHECK(values[static_cast<std::size_t>(column)] != NTuples::kFull);
      for (const float value : values) CHECK(std::isfinite(value) && value >= -2 && value <= 1);
      Word64 cells = landing_cells(NTuples::Shape{}, position.mask);
      for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(popcount(cells))); skip; --skip)
        cells &= cells - 1;
      position = position.play(cells & -cells);
    }
    for (const float weight : net.weights()) CHECK(std::isfinite(weight));
  }
  return 0;
}
