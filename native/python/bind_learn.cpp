#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "agents/learn.hpp"
#include "python/bind.hpp"

namespace claimeven {
namespace {

void make_rule(QRule* self, bool negamax, double alpha, double gamma, double initial, double win, double draw,
               double loss, double epsilon, double epsilon_end, double half_life, int openings) {
  for (const double number : {alpha, gamma, initial, win, draw, loss, epsilon, epsilon_end}) {
    if (!(number >= -1 && number <= 1)) throw std::invalid_argument("rule: numbers must be from -1 to 1");
  }
  if (!(half_life > 0)) throw std::invalid_argument("rule: half_life must be more than 0");
  if (openings < 0 || openings > kBits) throw std::invalid_argument("rule: openings must be from 0 to 128");
  new (self)
      QRule{negamax, alpha, gamma, initial, win, draw, loss, epsilon, epsilon_end, half_life, openings};
}

// One table on one board.
class QTableDoor {
 public:
  QTableDoor(int columns, int rows, int connect, bool mirrors, std::size_t most)
      : columns_(columns), rows_(rows), connect_(connect) {
    if (most < 1) throw std::invalid_argument("most must be at least 1");
    with_checked_shape(columns, rows, connect, [&](auto shape) {
      table_ = std::make_unique<QTable<decltype(shape)>>(shape, mirrors, most);
    });
  }

  std::size_t states() const { return table_->states(); }
  bool is_full() const { return table_->is_full(); }

  std::vector<std::optional<double>> values(nb::int_ mine, nb::int_ mask) const {
    const auto [mine_word, mask_word] = checked(mine, mask);
    return table_->values(mine_word, mask_word);
  }

  int pick(nb::int_ mine, nb::int_ mask, const QRule& rule, double epsilon, std::uint64_t seed) {
    const auto [mine_word, mask_word] = checked(mine, mask);
    return table_->pick(mine_word, mask_word, rule, epsilon, seed);
  }

  void learn(const std::vector<int>& columns, int side, const QRule& rule) {
    if (side != 0 && side != 1) throw std::invalid_argument("side must be 0 or 1");
    check_game(columns);
    table_->learn(columns, side, rule);
  }

  void train(const QRule& rule, std::uint64_t first_game, std::uint64_t games, std::uint64_t seed,
             QTableDoor* other) {
    const bool is_alike = other && other != this && other->columns_ == columns_ && other->rows_ == rows_ &&
                          other->connect_ == connect_;
    if (rule.negamax ? other != nullptr : !is_alike)
      throw std::invalid_argument("one table learns by negamax, two of the same board from own moves");
    const WithoutGil release;
    table_->train(other ? other->table_.get() : nullptr, rule, first_game, games, seed, check_signals);
  }

  nb::bytes save() const {
    const std::string bytes = table_->save();
    return nb::bytes(bytes.data(), bytes.size());
  }

  void load(nb::bytes bytes) { table_->load({bytes.c_str(), bytes.size()}); }

 private:
  std::pair<Word128, Word128> checked(nb::int_ mine, nb::int_ mask) const {
    return with_position(columns_, rows_, connect_, mine, mask, [](const auto& shape, const auto& stones) {
      if (stones.mask == shape.full) throw std::invalid_argument("the board is full");
      return std::pair<Word128, Word128>(stones.mine, stones.mask);
    });
  }

  void check_game(const std::vector<int>& columns) const {
    with_checked_shape(columns_, rows_, connect_, [&](auto shape) {
      Stones<decltype(shape)> stones;
      for (const int column : columns) {
        if (column < 0 || column >= shape.columns) throw std::invalid_argument("there is no such column");
        const auto cell = landing_cells(shape, stones.mask) & column_cells(shape, column);
        if (!cell || stones.is_won(shape)) throw std::invalid_argument("the game goes on after its end");
        stones = stones.play(cell);
      }
      if (!stones.is_won(shape) && stones.mask != shape.full)
        throw std::invalid_argument("the game is not over");
    });
  }

  int columns_, rows_, connect_;
  std::unique_ptr<QTableBase> table_;
};

}  // namespace

void bind_learn(nb::module_& module) {
  nb::class_<QRule>(module, "QRule", "How a Q-table learns (native/agents/learn.hpp).")
      .def("__init__", &make_rule, nb::kw_only(), nb::arg("negamax"), nb::arg("alpha"), nb::arg("gamma"),
           nb::arg("initial"), nb::arg("win"), nb::arg("draw"), nb::arg("loss"), nb::arg("epsilon"),
           nb::arg("epsilon_end"), nb::arg("half_life"), nb::arg("openings"))
      .def("epsilon_at", &QRule::epsilon_at, nb::arg("game"), "The share of random moves in a game.");
  nb::class_<QTableDoor>(
      module, "QTable",
      "A value for every column of every position met. Many may read it while nobody changes it.")
      .def(nb::init<int, int, int, bool, std::size_t>(), nb::arg("columns"), nb::arg("rows"),
           nb::arg("connect"), nb::kw_only(), nb::arg("mirrors"), nb::arg("most"))
      .def_prop_ro("states", &QTableDoor::states)
      .def_prop_ro("is_full", &QTableDoor::is_full)
      .def("values", &QTableDoor::values, nb::arg("mine"), nb::arg("mask"),
           "The value of every column; None when it was never tried.")
      .def("pick", &QTableDoor::pick, nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("rule"),
           nb::arg("epsilon"), nb::arg("seed"), "The column that a learner plays.")
      .def("learn", &QTableDoor::learn, nb::arg("columns"), nb::arg("side"), nb::arg("rule"),
           "Learn from a finished game; `side` is whose moves teach, unless by negamax.")
      .def("train", &QTableDoor::train, nb::kw_only(), nb::arg("rule"), nb::arg("first_game"),
           nb::arg("games"), nb::arg("seed"), nb::arg("other").none() = nb::none(),
           "Play games and learn from them. A game depends on its number and the seed.")
      .def("save", &QTableDoor::save)
      .def("load", &QTableDoor::load, nb::arg("bytes"));
}

}  // namespace claimeven
