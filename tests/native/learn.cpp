// Q-learning on every kind of board under AddressSanitizer and UndefinedBehaviorSanitizer: shifts, indices
// and memory; what is learned is tested from Python.
#include "agents/learn.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

namespace {

using namespace claimeven;

QRule negamax_rule() {
  QRule rule;
  rule.epsilon = 1;
  rule.epsilon_end = 0.1;
  rule.half_life = 20;
  rule.openings = 5;
  return rule;
}

QRule own_rule() {
  QRule rule;
  rule.negamax = false;
  rule.alpha = 0.9;
  rule.initial = 0.6;
  rule.draw = 0.5;
  rule.loss = 0;
  return rule;
}

template <class Shape>
void check_saving(const Shape& shape, const QTable<Shape>& table, bool mirrors, std::size_t most) {
  const std::string bytes = table.save();
  QTable<Shape> copy(shape, mirrors, most);
  copy.load(bytes);
  CHECK(copy.states() == table.states());
  CHECK(copy.save() == bytes);
  bool is_refused = false;
  try {
    copy.load(std::string_view(bytes).substr(1));
  } catch (const std::invalid_argument&) {
    is_refused = true;
  }
  CHECK(is_refused || bytes.empty());
}

void check_board(int columns, int rows, int connect, std::uint64_t games, std::size_t most) {
  with_shape(columns, rows, std::min(connect, std::max(columns, rows) + 1), [&](auto shape) {
    using Shape = decltype(shape);
    const auto poll = [] {};
    QTable<Shape> table(shape, true, most);
    table.train(nullptr, negamax_rule(), 0, games, 1, poll);
    CHECK(table.states() >= 1 && table.states() <= most);
    check_saving(shape, table, true, most);

    QTable<Shape> parts(shape, true, most);  // in two parts it is the same
    parts.train(nullptr, negamax_rule(), 0, games / 2, 1, poll);
    parts.train(nullptr, negamax_rule(), games / 2, games - games / 2, 1, poll);
    CHECK(parts.save() == table.save());

    QTable<Shape> first(shape, false, most), second(shape, false, most);
    first.train(&second, own_rule(), 0, games, 2, poll);
    CHECK(first.states() >= 1 && second.states() <= most);
    check_saving(shape, second, false, most);

    Stones<Shape> stones;
    std::vector<int> game;
    while (!stones.is_won(shape) && stones.mask != shape.full) {
      CHECK(static_cast<int>(table.values(stones.mine, stones.mask).size()) == columns);
      game.push_back(table.pick(stones.mine, stones.mask, negamax_rule(), 0.5, game.size()));
      const auto cell = landing_cells(shape, stones.mask) & column_cells(shape, game.back());
      CHECK(cell != 0);
      stones = stones.play(cell);
    }
    table.learn(game, 0, negamax_rule());
    first.learn(game, 0, own_rule());
    first.learn(game, 1, own_rule());
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t games = is_long(argc, argv) ? 5'000 : 300;
  for (const auto& [columns, rows, connect] : std::vector<std::array<int, 3>>{{7, 6, 4},
                                                                              {4, 4, 4},
                                                                              {6, 5, 4},
                                                                              {1, 1, 1},
                                                                              {1, 1, 4},
                                                                              {2, 2, 2},
                                                                              {1, 127, 5},
                                                                              {1, 63, 4},
                                                                              {35, 2, 3},
                                                                              {16, 7, 5},
                                                                              {9, 7, 4},
                                                                              {2, 63, 40},
                                                                              {12, 6, 4}}) {
    check_board(columns, rows, connect, games, 1'000'000);
    check_board(columns, rows, connect, games, 7);  // a table that is soon full
  }
  return 0;
}
