// Tabular Q-learning: a value for every column of every position that was met, and games that improve them.
//
// Two rules to learn by. *Negamax*: one table for both sides; what a column is worth is minus what the best
// answer is worth, so every move of every game teaches. *Own moves* (system A): each of two players has a
// table and learns only from one own move to the next, as if the other were part of the weather.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "agents/playout.hpp"
#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

struct QRule {
  bool negamax = true;
  double alpha = 1, gamma = 0.95;  // how much is learned at once; what a move later is worth
  double initial = 0;              // of a column that was never tried
  double win = 1, draw = 0, loss = -1;
  double epsilon = 0, epsilon_end = 0,
         half_life = 1;  // share of random moves: at first, at last, games to half
  int openings = 0;      // at most so many random moves begin a game

  double epsilon_at(std::uint64_t game) const {
    return std::max(epsilon_end, epsilon * std::exp2(-static_cast<double>(game) / half_life));
  }
};

// The door to all shapes. Positions and columns come checked.
class QTableBase {
 public:
  virtual ~QTableBase() = default;
  virtual std::size_t states() const = 0;
  virtual bool is_full() const = 0;
  // The value of every column, as far as it was tried.
  virtual std::vector<std::optional<double>> values(Word128 mine, Word128 mask) const = 0;
  // The column to play; with probability epsilon any.
  virtual int pick(Word128 mine, Word128 mask, const QRule& rule, double epsilon, std::uint64_t seed) = 0;
  // Learns from one finished game from the empty board; `side` is whose moves teach (own moves only).
  virtual void learn(const std::vector<int>& columns, int side, const QRule& rule) = 0;
  // Plays and learns; `other` is the second player's table when each learns from own moves.
  virtual void train(QTableBase* other, const QRule& rule, std::uint64_t first_game, std::uint64_t games,
                     std::uint64_t seed, const std::function<void()>& poll) = 0;
  virtual std::string save() const = 0;
  virtual void load(std::string_view bytes) = 0;
};

template <class Shape>
class QTable final : public QTableBase {
 public:
  using Word = typename Shape::Word;

  // Mirror images share an entry if it `mirrors`. There are never more than `most` entries.
  QTable(const Shape& shape, bool mirrors, std::size_t most)
      : shape_(shape), mirrors_(mirrors), most_(std::min(most, kMost)), slots_(1 << 10, 0) {}

  std::size_t states() const override { return keys_.size(); }
  bool is_full() const override { return keys_.size() >= most_; }

  std::vector<std::optional<double>> values(Word128 mine, Word128 mask) const override {
    const Place place = place_of({static_cast<Word>(mine), static_cast<Word>(mask)});
    std::vector<std::optional<double>> found(static_cast<std::size_t>(shape_.columns));
    const float* row = find(place.key);
    for (int column = 0; row && column < shape_.columns; ++column) {
      const float value = row[place.turned(shape_, column)];
      if (!std::isnan(value)) found[static_cast<std::size_t>(column)] = value;
    }
    return found;
  }

  int pick(Word128 mine, Word128 mask, const QRule& rule, double epsilon, std::uint64_t seed) override {
    Random random(seed);
    return choose({static_cast<Word>(mine), static_cast<Word>(mask)}, rule, epsilon, random);
  }

  void learn(const std::vector<int>& columns, int side, const QRule& rule) override {
    Game game;
    for (const int column : columns) game.add(shape_, column);
    learn_from(game, side, rule);
  }

  void train(QTableBase* other, const QRule& rule, std::uint64_t first_game, std::uint64_t games,
             std::uint64_t seed, const std::function<void()>& poll) override {
    QTable& second = other ? *static_cast<QTable*>(other) : *this;
    for (std::uint64_t number = first_game; number < first_game + games; ++number) {
      if ((number - first_game) % 256 == 255) poll();
      Random random(scrambled(seed ^ scrambled(number + 1)));  // a game depends on its number, not on the run
      const bool is_swapped = other && random.below(2);
      QTable* players[2] = {is_swapped ? &second : this, is_swapped ? this : &second};
      const double epsilon = rule.epsilon_at(number);
      const int opening =
          rule.openings ? static_cast<int>(random.below(static_cast<std::uint32_t>(rule.openings) + 1)) : 0;
      Game game;
      while (!game.is_over) {
        QTable& mover = *players[game.length & 1];
        game.add(shape_, mover.choose(game.stones, rule, game.length < opening ? 1.0 : epsilon, random));
      }
      players[0]->learn_from(game, 0, rule);
      if (!rule.negamax) players[1]->learn_from(game, 1, rule);
    }
  }

  // Entries by ascending key: the key, then a number for every column, NaN when it was never tried.
  std::string save() const override {
    std::vector<std::uint32_t> order(keys_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return keys_[a] < keys_[b]; });
    std::string bytes(order.size() * entry_bytes(), '\0');
    char* at = bytes.data();
    for (const auto i : order) {
      std::memcpy(at, &keys_[i], sizeof(Word));
      std::memcpy(at + sizeof(Word), row(i), row_bytes());
      at += entry_bytes();
    }
    return bytes;
  }

  void load(std::string_view bytes) override {
    if (bytes.size() % entry_bytes()) throw std::invalid_argument("an entry is incomplete");
    const std::size_t count = bytes.size() / entry_bytes();
    if (count > most_) throw std::invalid_argument("there are more entries than fit");
    keys_.clear();
    values_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      const char* at = bytes.data() + i * entry_bytes();
      Word key;
      std::memcpy(&key, at, sizeof(Word));
      if (i > 0 && key <= keys_.back()) throw std::invalid_argument("the entries are not in order");
      if (key > 2 * shape_.full) throw std::invalid_argument("an entry is of no position");
      float* row = place(key);
      std::memcpy(row, at + sizeof(Word), row_bytes());
      for (int column = 0; column < shape_.columns; ++column) {
        if (!std::isnan(row[column]) && !(std::abs(row[column]) <= kLargest))
          throw std::invalid_argument("a value is out of bounds");
      }
    }
  }

 private:
  static constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  static constexpr float kLargest = 1000;
  static constexpr float kUntried = std::numeric_limits<float>::quiet_NaN();
  static constexpr double kFullColumn = -1;  // system A's mark

  // A game from the empty board.
  struct Game {
    struct Move {
      Stones<Shape> before;
      int column;
    };
    std::array<Move, 128> moves;
    int length = 0;
    Stones<Shape> stones;
    bool is_over = false, is_won = false;  // by the last mover

    void add(const Shape& shape, int column) {
      moves[static_cast<std::size_t>(length++)] = {stones, column};
      stones = stones.play(landing_cells(shape, stones.mask) & column_cells(shape, column));
      is_won = stones.is_won(shape);
      is_over = is_won || stones.mask == shape.full;
    }
  };

  // Where a position stands in the table: its key, or that of its mirror image.
  struct Place {
    Word key;
    bool is_turned;

    int turned(const Shape& shape, int column) const {
      return is_turned ? shape.columns - 1 - column : column;
    }
  };

  Place place_of(const Stones<Shape>& stones) const {
    const Word key = stones.key();
    if (!mirrors_) return {key, false};
    const Word other = mirror(shape_, stones).key();
    return {std::min(key, other), other < key};
  }

  // Choosing -----------------------------------------------------------------------------------------

  int choose(const Stones<Shape>& stones, const QRule& rule, double epsilon, Random& random) {
    const Word open = landing_cells(shape_, stones.mask);
    if (epsilon > 0 && unit(random.next()) < epsilon)
      return column_of(shape_, nth_bit(open, random.below(static_cast<std::uint32_t>(popcount(open)))));
    return rule.negamax ? best_column(stones, open, rule, random) : first_best_column(stones, open, rule);
  }

  // Of equal columns any.
  int best_column(const Stones<Shape>& stones, Word open, const QRule& rule, Random& random) const {
    const Place place = place_of(stones);
    const float* row = find(place.key);
    int best = -1;
    double most = 0;
    std::uint32_t equal = 0;
    for (Word rest = open; rest; rest &= rest - 1) {
      const int column = column_of(shape_, lowest_bit(rest));
      const double value = known(row, place.turned(shape_, column), rule);
      if (best < 0 || value > most) {
        best = column;
        most = value;
        equal = 1;
      } else if (value == most && random.below(++equal) == 0) {
        best = column;
      }
    }
    return best;
  }

  // System A: of equal columns the first; that a column is full is found out by choosing it.
  int first_best_column(const Stones<Shape>& stones, Word open, const QRule& rule) {
    const Place at = place_of(stones);
    float* row = place(at.key);
    while (true) {
      int best = -1;
      for (int column = 0; column < shape_.columns; ++column) {
        const bool is_open = (open & column_cells(shape_, column)) != 0;
        if (!row && !is_open) continue;
        if (best < 0 ||
            known(row, at.turned(shape_, column), rule) > known(row, at.turned(shape_, best), rule))
          best = column;
      }
      if (open & column_cells(shape_, best)) return best;
      float& value = row[at.turned(shape_, best)];
      if (value == kFullColumn) return column_of(shape_, lowest_bit(open));  // everything else is worse
      value = kFullColumn;
    }
  }

  static double known(const float* row, int column, const QRule& rule) {
    return row && !std::isnan(row[column]) ? row[column] : rule.initial;
  }

  // Learning -----------------------------------------------------------------------------------------

  // From the end to the start, so that a result reaches the whole game at once.
  void learn_from(const Game& game, int side, const QRule& rule) {
    if (rule.negamax) {
      double after = 0;  // the position after the move, for the one who moves there
      for (int i = game.length - 1; i >= 0; --i) {
        const bool is_last = i == game.length - 1;
        const double target = is_last ? (game.is_won ? rule.win : rule.draw) : -rule.gamma * after;
        after = improve(game.moves[static_cast<std::size_t>(i)], target, rule);
      }
      return;
    }
    const int winner = game.is_won ? (game.length - 1) & 1 : kDraw;
    const double reward = winner == kDraw ? rule.draw : winner == side ? rule.win : rule.loss;
    QRule at_once = rule;
    at_once.alpha = 1;
    double after = 0;
    const int last = game.length - 1 - ((game.length - 1 - side) & 1);
    for (int i = last; i >= 0; i -= 2) {
      const auto& move = game.moves[static_cast<std::size_t>(i)];
      after = improve(move, i == last ? reward : rule.gamma * after, i == last ? at_once : rule);
    }
  }

  // Moves the value of a move towards the target; returns what its position is worth now.
  double improve(const typename Game::Move& move, double target, const QRule& rule) {
    const Place at = place_of(move.before);
    float* row = place(at.key);
    if (row) {
      float& value = row[at.turned(shape_, move.column)];
      const double before = std::isnan(value) ? rule.initial : static_cast<double>(value);
      value = static_cast<float>(before * (1 - rule.alpha) + rule.alpha * target);
    }
    double most = -std::numeric_limits<double>::infinity();
    const Word open = landing_cells(shape_, move.before.mask);
    for (int column = 0; column < shape_.columns; ++column) {
      // System A counts full columns too, until it has found out about them.
      if (!rule.negamax || (open & column_cells(shape_, column)))
        most = std::max(most, known(row, at.turned(shape_, column), rule));
    }
    return most;
  }

  // The table: rows in the order in which they came, found through slots by open addressing ------------

  std::size_t row_bytes() const { return sizeof(float) * static_cast<std::size_t>(shape_.columns); }
  std::size_t entry_bytes() const { return sizeof(Word) + row_bytes(); }
  float* row(std::size_t number) { return &values_[number * static_cast<std::size_t>(shape_.columns)]; }
  const float* row(std::size_t number) const {
    return &values_[number * static_cast<std::size_t>(shape_.columns)];
  }

  std::size_t home(Word key) const {
    auto word = static_cast<std::uint64_t>(key);
    if constexpr (sizeof(Word) > 8) word ^= scrambled(static_cast<std::uint64_t>(key >> 64));
    return scrambled(word) & (slots_.size() - 1);
  }

  // The slot of a key, or the empty one where it belongs. A slot holds the number of the row, plus 1.
  std::size_t slot(Word key) const {
    std::size_t i = home(key);
    while (slots_[i] && keys_[slots_[i] - 1] != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }

  const float* find(Word key) const {
    const std::uint32_t number = slots_[slot(key)];
    return number ? row(number - 1) : nullptr;
  }

  // The row of a key, made if there is room.
  float* place(Word key) {
    std::size_t i = slot(key);
    if (slots_[i]) return row(slots_[i] - 1);
    if (is_full()) return nullptr;
    if (2 * (keys_.size() + 1) > slots_.size()) {
      slots_.assign(2 * slots_.size(), 0);
      for (std::size_t n = 0; n < keys_.size(); ++n)
        slots_[slot(keys_[n])] = static_cast<std::uint32_t>(n + 1);
      i = slot(key);
    }
    keys_.push_back(key);
    values_.resize(values_.size() + static_cast<std::size_t>(shape_.columns), kUntried);
    slots_[i] = static_cast<std::uint32_t>(keys_.size());
    return row(keys_.size() - 1);
  }

  const Shape shape_;
  const bool mirrors_;
  const std::size_t most_;
  std::vector<std::uint32_t> slots_;
  std::vector<Word> keys_;
  std::vector<float> values_;
};

}  // namespace claimeven
