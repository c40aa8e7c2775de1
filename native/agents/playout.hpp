// Playouts: random games to the end, and the memory of good replies that may guide them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

inline constexpr int kDraw = -1;  // otherwise the winner is side 0 or 1

// The cells of one game in the order in which they were played, as bit indices. It holds the way
// through the tree as well: replies depend on what came before, wherever it was played.
struct Line {
  std::array<std::uint8_t, 128> cells;
  int length = 0;

  void push(int bit) { cells[length++] = static_cast<std::uint8_t>(bit); }
};

// Last good reply (Drake 2009; with forgetting: Baier and Drake 2010): the reply that last won after the
// same one to three moves. Moves are cells, not columns: what is good at d2 is not good at d5.
class Replies {
 public:
  static constexpr int kLongest = 3;

  Replies(int bits, int length, bool forgets) : bits_(bits), length_(length), forgets_(forgets) {
    std::size_t size = 2;
    for (int n = 1; n <= length; ++n) replies_[n].assign(size *= static_cast<std::size_t>(bits), 0);
  }

  int length() const { return length_; }

  void clear() {
    for (auto& replies : replies_) std::fill(replies.begin(), replies.end(), std::uint8_t{0});
  }

  // The reply of `side` to the last n moves of the line, as a bit index, or -1.
  int find(const Line& line, int n, int side) const {
    return replies_[n][index(line, line.length, n, side)] - 1;
  }

  // After a game: the winner's moves become replies; the loser's, if it forgets, are none any more. A draw
  // teaches nothing.
  void learn(const Line& line, int first_side, int winner) {
    if (winner == kDraw) return;
    for (int i = 1; i < line.length; ++i) {
      const int side = (first_side + i) & 1;
      const auto reply = static_cast<std::uint8_t>(line.cells[i] + 1);
      for (int n = 1; n <= std::min(length_, i); ++n) {
        auto& stored = replies_[n][index(line, i, n, side)];
        if (side == winner) {
          stored = reply;
        } else if (forgets_ && stored == reply) {
          stored = 0;
        }
      }
    }
  }

 private:
  std::size_t index(const Line& line, int end, int n, int side) const {
    std::size_t index = static_cast<std::size_t>(side);
    for (int i = end - n; i < end; ++i) index = index * static_cast<std::size_t>(bits_) + line.cells[i];
    return index;
  }

  const int bits_, length_;
  const bool forgets_;
  std::array<std::vector<std::uint8_t>, kLongest + 1> replies_;
};

// Plays uniformly at random; returns the winner or kDraw. The game is not over at the start.
template <class Shape>
int random_playout(const Shape& shape, Stones<Shape> stones, Random& random) {
  using Word = typename Shape::Word;
  Word open[kMaxColumns];  // the landing cells
  std::uint32_t count = 0;
  for (Word rest = landing_cells(shape, stones.mask); rest; rest &= rest - 1)
    open[count++] = lowest_bit(rest);
  Word side[2] = {stones.mine, stones.theirs()};
  const int first = stones.ply() & 1;
  for (int turn = 0; count > 0; turn ^= 1) {
    const std::uint32_t i = random.below(count);
    side[turn] |= open[i];
    if (has_four(shape, side[turn])) return first ^ turn;
    open[i] <<= 1;
    if (!(open[i] & shape.full)) open[i] = open[--count];
  }
  return kDraw;
}

// The n-th set bit.
template <class Word>
constexpr Word nth_bit(Word word, std::uint32_t n) {
  for (; n > 0; --n) word &= word - 1;
  return lowest_bit(word);
}

struct ReplyHits {
  std::uint64_t asked = 0, played = 0;
};

// Plays at random, but completes a line or stops one where it can (`decisive`), and otherwise gives the
// longest matching good reply that is legal. Appends its moves to the line.
template <class Shape>
int guided_playout(const Shape& shape, Stones<Shape> stones, bool decisive, const Replies& replies,
                   Line& line, std::array<ReplyHits, Replies::kLongest + 1>& hits, Random& random) {
  using Word = typename Shape::Word;
  int side = stones.ply() & 1;
  Word wins[2] = {};  // winning cells by side; kept up to date only for decisive playouts
  if (decisive) {
    wins[side] = winning_cells(shape, stones.mine, stones.mask);
    wins[side ^ 1] = winning_cells(shape, stones.theirs(), stones.mask);
  }
  while (const Word landings = landing_cells(shape, stones.mask)) {
    Word cell = 0;
    if (decisive) {
      if (const Word win = wins[side] & landings) {
        line.push(lowest_index(win));
        return side;
      }
      cell = lowest_bit(wins[side ^ 1] & landings);
    }
    for (int n = std::min(replies.length(), line.length); n > 0 && !cell; --n) {
      ++hits[n].asked;
      const int reply = replies.find(line, n, side);
      if (reply >= 0) cell = (Word{1} << reply) & landings;
      if (cell) ++hits[n].played;
    }
    if (!cell) cell = nth_bit(landings, random.below(static_cast<std::uint32_t>(popcount(landings))));
    line.push(lowest_index(cell));
    stones = stones.play(cell);
    if (decisive) {
      wins[side] = winning_cells(shape, stones.theirs(), stones.mask);
    } else if (stones.is_won(shape)) {
      return side;
    }
    side ^= 1;
  }
  return kDraw;
}

}  // namespace claimeven
