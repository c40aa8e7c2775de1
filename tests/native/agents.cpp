// Minimax, MCTS and PUCT on every kind of board, with every option, under AddressSanitizer and
// UndefinedBehaviorSanitizer: shifts, indices and memory; what they compute is tested from Python.
#include <algorithm>
#include <vector>

#include "agents/mcts.hpp"
#include "agents/minimax.hpp"
#include "agents/puct.hpp"
#include "check.hpp"

namespace {

using namespace claimeven;

Weights everything(bool overlooks) {
  Weights weights;
  weights.windows = {{{1, 2, 3, 4, 5}, {-1, -2, -3}}};
  weights.runs = {{{1, 1, 2}, {-1, -1, -2, -3}}};
  weights.threats = Weights::Threats::kPlayable;
  weights.center = {3, -3};
  weights.height = {1, -1};
  weights.drop = {10, -12};
  weights.parity = {20, -20};
  weights.zugzwang = {7, -7};
  weights.noise = 1.5;
  if (overlooks) weights.miss = {0.2, 0.5};
  weights.seed = 5;
  return weights;
}

template <class Shape>
Stones<Shape> random_position(const Shape& shape, Random& random) {
  Stones<Shape> stones;
  const auto cells = static_cast<std::uint32_t>(shape.columns * shape.rows);
  for (auto left = random.below(cells); left > 0; --left) {
    const auto landings = landing_cells(shape, stones.mask);
    const auto child =
        stones.play(nth_bit(landings, random.below(static_cast<std::uint32_t>(popcount(landings)))));
    if (child.is_won(shape) || child.mask == shape.full) break;
    stones = child;
  }
  return stones;
}

template <bool kSeesAll, class Shape>
void check_minimax(const Shape& shape, const Stones<Shape>& stones, Weights weights) {
  for (const auto vertical : {Weights::Vertical::kWindows, Weights::Vertical::kTop}) {
    for (const auto drop : {Weights::Drop::kThrough, Weights::Drop::kStart}) {
      weights.vertical = vertical;
      weights.drop_windows = drop;
      const Evaluator evaluator(shape, weights);
      CHECK(std::abs(evaluator.value(stones.mine, stones.theirs(), stones.ply() % 2 == 0)) <= kMaxValue);
      Limit limit(3000);
      Minimax<Shape, kSeesAll> minimax(shape, evaluator, limit, 1 << 14);
      const auto result = minimax.run(stones, 5, drop == Weights::Drop::kStart);
      CHECK(result.nodes <= 3000);
      CHECK(static_cast<int>(result.columns.size()) == popcount(landing_cells(shape, stones.mask)));
    }
  }
}

template <class Shape>
void check_mcts(const Shape& shape, Stones<Shape> stones, Random& random) {
  for (int options = 0; options < 32; ++options) {
    MctsOptions chosen;
    chosen.replies = options % 4;
    chosen.forgets = options & 4;
    chosen.solver = options & 8;
    chosen.decisive = options & 16;
    chosen.reuses = random.below(2);
    chosen.tree_bytes = random.below(2) ? 10'000 : 1 << 20;
    chosen.table_entries = random.below(2) ? 64 : 0;
    Mcts<Shape> mcts(shape, chosen);
    auto at = stones;
    for (int move = 0; move < 3; ++move) {
      Limit limit(60);
      const auto result =
          mcts.run(at.mine, at.mask, limit, 1 + static_cast<int>(random.below(100)), random.next());
      CHECK(result.simulations <= 60);
      const auto landings = landing_cells(shape, at.mask);
      at = at.play(nth_bit(landings, random.below(static_cast<std::uint32_t>(popcount(landings)))));
      if (at.is_won(shape) || at.mask == shape.full) break;
    }
  }
}

// With an evaluation by chance. Whatever it says: what is proven and the counts must be right.
template <class Shape>
void check_puct(const Shape& shape, const Stones<Shape>& stones, Random& random) {
  PuctTree<Shape> tree(shape, {1.0f, 0.2f});
  tree.start(stones);
  const auto evaluate = [&] {
    while (tree.waiting()) {
      float wishes[kMaxColumns], values[kMaxColumns];
      for (int column = 0; column < shape.columns; ++column) {
        wishes[column] = static_cast<float>(normal(random.next()));
        values[column] = static_cast<float>(2 * unit(random.next()) - 1);
      }
      tree.learn(wishes, values);
    }
  };
  evaluate();
  std::uint32_t steps = 0;
  while (!tree.is_decided() && steps < 200) {
    if (tree.step())
      ++steps;
    else
      CHECK(tree.waiting() > 0);
    if (tree.waiting() > random.below(4)) evaluate();
  }
  std::uint32_t visits = 0;
  float prior = 0;
  for (const auto& edge : tree.edges()) visits += edge.visits, prior += edge.prior;
  CHECK(visits == steps);
  CHECK(tree.is_decided() || std::abs(prior - 1) < 1e-4f);
  CHECK(static_cast<int>(tree.edges().size()) == popcount(landing_cells(shape, stones.mask)));
  const auto wins = landing_cells(shape, stones.mask) & winning_cells(shape, stones.mine, stones.mask);
  if (wins) CHECK((column_cells(shape, tree.best().column) & wins) != 0);
}

void check_board(int columns, int rows, int connect, int positions, Random& random) {
  with_shape(columns, rows, std::min(connect, std::max(columns, rows) + 1), [&](auto shape) {
    for (int i = 0; i < positions; ++i) {
      const auto stones = random_position(shape, random);
      check_minimax<true>(shape, stones, everything(false));
      check_minimax<false>(shape, stones, everything(true));
      check_mcts(shape, stones, random);
      for (int search = 0; search < 10; ++search) check_puct(shape, stones, random);
    }
  });
}

void check_memo() {
  struct Number {
    int value;
    bool is_empty() const { return value == 0; }
    int worth() const { return value; }
  };
  Memo<Word64, Number> memo(1 << 12);
  for (Word64 key = 0; key < 10'000; ++key) memo.place(key) = {static_cast<int>(key) + 1};
  int found = 0;
  for (Word64 key = 0; key < 10'000; ++key) {
    if (const auto* number = memo.find(key)) {
      CHECK(number->value == static_cast<int>(key) + 1);  // never the number of another key
      ++found;
    }
  }
  CHECK(found > 0 && found <= static_cast<int>(memo.capacity()));
  CHECK(memo.replaced() == 10'000 - static_cast<std::uint64_t>(found));
}

}  // namespace

int main(int argc, char** argv) {
  const int positions = is_long(argc, argv) ? 20 : 1;
  Random random(1);
  check_memo();
  for (const auto& [columns, rows, connect] : std::vector<std::array<int, 3>>{{7, 6, 4},
                                                                              {1, 1, 1},
                                                                              {1, 1, 4},
                                                                              {2, 2, 2},
                                                                              {1, 127, 5},
                                                                              {1, 63, 4},
                                                                              {35, 2, 3},
                                                                              {35, 1, 2},
                                                                              {16, 7, 5},
                                                                              {8, 7, 7},
                                                                              {8, 7, 4},
                                                                              {9, 7, 4},
                                                                              {10, 10, 4},
                                                                              {4, 4, 9},
                                                                              {6, 2, 1},
                                                                              {2, 31, 30},
                                                                              {2, 63, 40},
                                                                              {12, 6, 4}}) {
    check_board(columns, rows, connect, positions, random);
  }
  for (int i = 0; i < 10 * positions; ++i) {
    const int columns = 1 + static_cast<int>(random.below(kMaxColumns));
    const int rows = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(128 / columns - 1)));
    check_board(columns, rows, 1 + static_cast<int>(random.below(8)), 1, random);
  }
  return 0;
}
