// Depth-limited alpha-beta: iterative deepening, a transposition table with bounds, move ordering.
//
// Its value is that of plain minimax to the same depth. Three facts make that so:
// - A position determines its ply, so within one iteration it is always searched to the same depth: an
//   entry of the table counts only at exactly that depth, or when the end of the game was seen.
// - Shortcuts (a win at hand, threats to meet) are taken only where the depth left would see them.
// - The static value is always seen from the side that is to choose: weights need not be symmetric.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "agents/evaluate.hpp"
#include "agents/memo.hpp"
#include "board/board.hpp"
#include "board/limit.hpp"

namespace claimeven {

// A value is for the side to move. A win is worth kWin less the ply at which it ends, so that it is hurried
// and a loss delayed; every static value lies between the losses and the wins; a draw is 0.
using Value = std::int32_t;
inline constexpr Value kWin = 2'000'000'000;
inline constexpr Value kInfinite = 2'100'000'000;
constexpr bool is_proven(Value value) { return std::abs(value) > kMaxValue; }

struct MinimaxColumn {
  int column;
  Value value;
  bool is_exact;  // otherwise the value is an upper bound, or of an earlier iteration
};

struct MinimaxResult {
  std::vector<MinimaxColumn> columns;  // the best first; among equals the nearest to the centre
  int depth = 0;                       // of the last finished iteration
  std::uint64_t nodes = 0, hits = 0;
  double seconds = 0;
};

// With kSeesAll false, lines that the evaluator overlooks are overlooked in the whole search.
template <class Shape, bool kSeesAll>
class Minimax {
 public:
  using Word = typename Shape::Word;

  Minimax(const Shape& shape, const Evaluator<Shape>& evaluator, Limit& limit, std::size_t table_bytes)
      : shape_(shape), evaluator_(evaluator), memo_(table_bytes), limit_(limit) {
    for (int bit = 0; bit < shape.columns * (shape.rows + 1); ++bit) {
      history_[0][bit] = history_[1][bit] = evaluator.windows_through(Word{1} << bit);
    }
  }

  // Searches a position that is not over to max_depth, or as deep as the limit allows, at least to depth 1.
  // With `all_exact` every column gets its exact value, not only the best ones.
  MinimaxResult run(const Stones<Shape>& stones, int max_depth, bool all_exact) {
    root_ply_ = stones.ply();
    const int cells_left = shape_.columns * shape_.rows - root_ply_;
    MinimaxResult result{open_columns(stones)};
    for (int depth = 1; depth <= std::min(max_depth, cells_left); ++depth) {
      if (!search_root(stones, result.columns, depth, all_exact)) break;
      result.depth = depth;
      if (is_proven(result.columns[0].value) && !all_exact) break;
    }
    if (result.depth == 1 && max_depth > 1) {  // no time to look at replies: at least hand over nothing
      std::stable_partition(result.columns.begin(), result.columns.end(),
                            [&](const MinimaxColumn& column) { return !hands_over(stones, column.column); });
    }
    result.nodes = limit_.nodes();
    result.hits = hits_;
    result.seconds = limit_.seconds();
    return result;
  }

 private:
  enum Bound : std::uint8_t { kNone, kUpper, kLower, kExact };

  struct Entry {
    Value value;
    std::uint8_t depth;
    Bound bound;
    std::uint8_t move;  // bit index of the best cell
    bool is_empty() const { return bound == kNone; }
    int worth() const { return depth; }
  };

  struct Move {
    Word cell;
    Word wins;  // of the mover, after it
    int worth;
  };

  // By value; among equals the nearest to the centre first, the left one of two.
  bool is_before(const MinimaxColumn& a, const MinimaxColumn& b) const {
    if (a.value != b.value) return a.value > b.value;
    const int off_a = std::abs(2 * a.column + 1 - shape_.columns);
    const int off_b = std::abs(2 * b.column + 1 - shape_.columns);
    return off_a != off_b ? off_a < off_b : a.column < b.column;
  }

  void sort(std::vector<MinimaxColumn>& columns) const {
    std::sort(columns.begin(), columns.end(),
              [&](const MinimaxColumn& a, const MinimaxColumn& b) { return is_before(a, b); });
  }

  std::vector<MinimaxColumn> open_columns(const Stones<Shape>& stones) const {
    std::vector<MinimaxColumn> columns;
    for (int column = 0; column < shape_.columns; ++column) {
      if (cell_of(stones, column)) columns.push_back({column, 0, false});
    }
    sort(columns);
    return columns;
  }

  Word cell_of(const Stones<Shape>& stones, int column) const {
    return landing_cells(shape_, stones.mask) & column_cells(shape_, column);
  }

  Word wins(Word stones, Word mask) const {
    return kSeesAll ? winning_cells(shape_, stones, mask) : evaluator_.seen_wins(stones, mask);
  }

  bool hands_over(const Stones<Shape>& stones, int column) const {
    const Word cell = cell_of(stones, column);
    const auto child = stones.play(cell);
    const bool wins_itself = (wins(stones.mine, stones.mask) & cell) != 0;
    return !wins_itself && (wins(child.mine, child.mask) & landing_cells(shape_, child.mask));
  }

  // One iteration; sorts the columns. False when a limit ended it: then the columns it had finished lead,
  // unless they lose.
  bool search_root(const Stones<Shape>& stones, std::vector<MinimaxColumn>& columns, int depth,
                   bool all_exact) {
    std::vector<MinimaxColumn> finished, left = columns;
    Value best = -kInfinite;
    while (!left.empty()) {
      const int column = left.front().column;
      // A column equal to the best must be told from a worse one, so the window opens one below the best.
      const bool is_open = all_exact || finished.empty();
      const Value alpha = is_open ? -kInfinite : best - 1;
      Value value = root_value(stones, cell_of(stones, column), depth, alpha, is_open ? kInfinite : best);
      if (!is_open && value >= best)
        value = root_value(stones, cell_of(stones, column), depth, alpha, kInfinite);
      if (depth > 1 && limit_.has_ended()) break;
      finished.push_back({column, value, value > alpha});
      best = std::max(best, value);
      left.erase(left.begin());
    }
    sort(finished);
    const bool is_complete = left.empty();
    const bool leads = best >= -kMaxValue || is_complete;
    if (leads) {
      for (MinimaxColumn& column : left) column.is_exact = false;
    }
    columns = leads ? finished : left;
    columns.insert(columns.end(), leads ? left.begin() : finished.begin(),
                   leads ? left.end() : finished.end());
    return is_complete;
  }

  Value root_value(const Stones<Shape>& stones, Word cell, int depth, Value alpha, Value beta) {
    const auto child = stones.play(cell);
    if (wins(stones.mine, stones.mask) & cell) return kWin - (root_ply_ + 1);
    if (child.mask == shape_.full) return 0;
    if (depth == 1) {
      limit_.tick();
      return static_value(child.theirs(), child.mine, root_ply_);
    }
    const Word their_wins = wins(child.mine, child.mask);
    if (their_wins & landing_cells(shape_, child.mask)) return -(kWin - (root_ply_ + 2));
    return -search(child.mine, child.theirs(), wins(child.theirs(), child.mask), root_ply_ + 1, depth - 1,
                   -beta, -alpha);
  }

  // The static value after a move, for the side that made it at `ply`.
  Value static_value(Word mover, Word other, int ply) const {
    const bool root_is_first = root_ply_ % 2 == 0;
    if ((ply - root_ply_) % 2 == 0) return static_cast<Value>(evaluator_.value(mover, other, root_is_first));
    return static_cast<Value>(-evaluator_.value(other, mover, root_is_first));
  }

  // The value for the side to move, who has no win at hand: exact inside (alpha, beta), at most alpha or at
  // least beta outside. `their_wins` are the winning cells of the opponent. After the limit has ended the
  // value means nothing.
  Value search(Word mine, Word theirs, Word their_wins, int ply, int depth, Value alpha, Value beta) {
    // 1. Count; end when a limit says so.
    if (!limit_.tick()) return 0;
    const Word mask = mine | theirs;
    const Word landings = landing_cells(shape_, mask);
    // 2. Last ply: static values.
    if (depth == 1) return frontier(mine, theirs, landings, ply, beta);
    // 3. Meet the threats, and hand over no win; where this cannot be done, the game ends in two plies.
    Word moves = landings & ~(their_wins >> 1);
    if (const Word forced = landings & their_wins) moves &= (forced & (forced - 1)) ? Word{0} : forced;
    if (!moves) return -(kWin - (ply + 2));
    // 4. No win can come before ply + 3.
    const Value ceiling = kWin - (ply + 3);
    if (alpha >= ceiling) return ceiling;
    // 5. Table.
    const Word key = mine + mask;
    int first = -1;
    if (const Entry* entry = memo_.find(key)) {
      first = entry->move;
      if (entry->depth == depth || is_proven(entry->value)) {
        const bool is_enough = entry->bound == kExact || (entry->bound == kLower && entry->value >= beta) ||
                               (entry->bound == kUpper && entry->value <= alpha);
        if (is_enough) {
          ++hits_;
          return entry->value;
        }
      }
    }
    // 6. Order: the move of the table, new winning cells, what cut off elsewhere.
    Move list[kMaxColumns];
    int count = 0;
    for (Word rest = moves; rest; rest &= rest - 1) {
      const Word cell = lowest_bit(rest);
      const int bit = lowest_index(cell);
      Move move{cell, 0, history_[ply & 1][bit]};
      if (depth > 2) {
        move.wins = wins(mine | cell, mask | cell);
        move.worth += popcount(move.wins) << 20;
      }
      if (bit == first) move.worth = 1 << 30;
      int i = count++;
      for (; i > 0 && list[i - 1].worth < move.worth; --i) list[i] = list[i - 1];
      list[i] = move;
    }
    // 7. Search: the first move with the whole window, the others must show that they are better.
    Value best = -kInfinite, low = alpha;
    int best_bit = -1;
    for (int i = 0; i < count; ++i) {
      const auto& [cell, wins, _] = list[i];
      const auto child = [&](Value from, Value to) -> Value {
        if ((mask | cell) == shape_.full) return 0;
        return -search(theirs, mine | cell, wins, ply + 1, depth - 1, -to, -from);
      };
      Value value = (i == 0) ? child(low, beta) : child(low, low + 1);
      if (i > 0 && value > low && value < beta) value = child(low, beta);
      if (limit_.has_ended()) return 0;
      if (value > best) best = value, best_bit = lowest_index(cell);
      low = std::max(low, value);
      if (low >= beta) {
        reward(ply, best_bit, depth);
        break;
      }
    }
    // 8. Remember.
    memo_.place(key) = {best, static_cast<std::uint8_t>(std::min(depth, 255)),
                        best >= beta   ? kLower
                        : best > alpha ? kExact
                                       : kUpper,
                        static_cast<std::uint8_t>(best_bit)};
    return best;
  }

  // One ply before the horizon; the side to move has no win at hand.
  Value frontier(Word mine, Word theirs, Word landings, int ply, Value beta) {
    Value best = -kInfinite;
    for (Word rest = landings; rest; rest &= rest - 1) {
      if (!limit_.tick()) return 0;
      const Word mover = mine | lowest_bit(rest);
      const Value value = ((mover | theirs) == shape_.full) ? 0 : static_value(mover, theirs, ply);
      best = std::max(best, value);
      if (best >= beta) break;
    }
    return best;
  }

  // Cells that cut off are tried earlier elsewhere.
  void reward(int ply, int bit, int depth) {
    int& worth = history_[ply & 1][bit];
    worth += depth * depth;
    if (worth >= 1 << 19) {
      for (auto& side : history_) {
        for (int& cell : side) cell /= 2;
      }
    }
  }

  const Shape shape_;
  const Evaluator<Shape>& evaluator_;
  Memo<Word, Entry> memo_;
  Limit& limit_;
  int root_ply_ = 0;
  std::uint64_t hits_ = 0;
  int history_[2][sizeof(Word) * 8] = {};
};

}  // namespace claimeven
