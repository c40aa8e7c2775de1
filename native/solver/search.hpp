// The exact search: is the score of a position at most alpha, or greater?
//
// Scores are those of the contract: 1 + the winner's own stones left unplayed, positive when the side to move
// wins. Every question is a null window (alpha, alpha + 1). The answer is *fail-soft*: a result v <= alpha is
// an upper bound of the score, a result v > alpha a lower bound; often closer than asked.
#pragma once

#include <array>
#include <cstdint>

#include "board/board.hpp"
#include "board/limit.hpp"
#include "solver/busy.hpp"
#include "solver/lanes.hpp"
#include "solver/ordering.hpp"
#include "solver/pairing.hpp"
#include "solver/table.hpp"

namespace claimeven {

// How the positions of a shape are stored.
template <class Shape>
struct EntryOf {
  using type = std::conditional_t<sizeof(typename Shape::Word) == sizeof(Word64), CheckedEntry, WideEntry>;
};
template <>
struct EntryOf<FixedShape<7, 6, 4>> {
  using type = PackedEntry;
};
template <class Shape>
using TableOf = Table<typename EntryOf<Shape>::type, typename Shape::Word>;

// A position in the search: the side to move has no win at hand.
template <class Shape>
struct Node {
  using Word = typename Shape::Word;
  Word mine, mask;
  Word threats;   // winning cells of the opponent
  Word landings;  // landing cells of the open columns
  int ply;
};

template <class Shape>
class Search {
 public:
  using Word = typename Shape::Word;
  using Lanes = LanesOf<Word>;
  using Position = Node<Shape>;

  // `near` is small and private to this search: it stays in the processor's cache and serves the positions
  // with few empty cells, which are most of them. `far` is large, shared, and serves those with many.
  // Measured on 7x6, one table in main memory for all costs 1.7 times the time. What lies between them is in
  // `middle`, which threads share where there are several: for one it is the near table, too.
  Search(const Shape& shape, TableOf<Shape>& far, TableOf<Shape>& middle, TableOf<Shape>& near,
         const Ordering<Shape>& ordering, Limit& limit, Busy<Word>* busy = nullptr)
      : shape_(shape),
        far_(far),
        middle_(middle),
        near_(near),
        ordering_(ordering),
        limit_(limit),
        busy_(busy) {
    for (int column = 0; column < std::min(shape_.columns, kLanes); ++column) {
      columns_[column] = column_cells(shape_, column);
    }
  }

  // Plays forced moves, then searches. They need neither a node nor an entry in the table.
  int value(Position position, int alpha) {
    const int cells = this->cells();
    int sign = 1;
    for (bool is_forced = false;; is_forced = true) {
      // Step 1. The moves that do not lose at once: block the opponent's only threat if there is one, and
      // never play below one of his winning cells.
      const Word attacked = position.threats & position.landings;
      Word moves = (attacked ? attacked : position.landings) & ~(position.threats >> 1);
      if (attacked & (attacked - 1)) moves = 0;
      const int ply = position.ply;
      if (!moves) return position.landings ? -sign * loss_in_two(ply) : 0;
      if (ply >= cells - 2) return 0;  // the last two stones, and neither wins
      // Step 2. What the number of empty cells allows.
      if (upper_limit(ply) <= alpha) return sign * upper_limit(ply);
      if (lower_limit(ply) > alpha) return sign * lower_limit(ply);
      // Step 3. A choice: search. Else play the only move and look again from the other side.
      if (moves & (moves - 1)) {
        if (is_forced) {
          const int bound = pairing_bound(position, alpha);
          if (bound <= alpha) return sign * bound;
        }
        return sign * search(position, moves, alpha);
      }
      position.mine |= moves;
      position.mask |= moves;
      position.threats = winning_cells(shape_, position.mine, position.mask);
      position.landings = landing_cells(shape_, position.mask);
      position.mine ^= position.mask;
      ++position.ply;
      sign = -sign;
      alpha = -alpha - 1;
    }
  }

 private:
  static constexpr int kBatches =
      std::is_same_v<Shape, FixedShape<7, 6, 4>> ? 1 : (kMaxColumns + kLanes - 1) / kLanes;
  static constexpr int kChildren = kBatches * kLanes;

  int cells() const { return shape_.cells; }

  // The side to move has no win at hand: at best it wins with its next stone but one.
  int upper_limit(int ply) const { return (cells() - 1 - ply) / 2; }
  // The side to move can avoid an immediate loss: at worst it loses with the opponent's next stone but one.
  int lower_limit(int ply) const { return -((cells() - 2 - ply) / 2); }
  // The size of a score when the opponent wins with his next stone.
  int loss_in_two(int ply) const { return (cells() - ply) / 2; }

  // Positions and their mirror images share an entry near the root; deeper, mirror images hardly ever meet.
  bool is_mirrored(int ply) const { return ply < 16; }
  TableOf<Shape>& table(int ply) {
    const int empty = cells() - ply;
    return empty > kMiddleEmpties ? far_ : empty > kNearEmpties ? middle_ : near_;
  }
  static constexpr int kMiddleEmpties = 20, kNearEmpties = 14;

  Word key(const Position& position) const {
    const Word key = position.mine + position.mask;
    return is_mirrored(position.ply) ? std::min(key, mirror(shape_, key)) : key;
  }

  int pairing_bound(const Position& position, int useful) const {
    Lanes follower{}, mask{}, wins{}, landings{};
    follower[0] = position.mine ^ position.mask;
    mask[0] = position.mask;
    wins[0] = position.threats;
    landings[0] = position.landings;
    int bound[kLanes];
    bound[0] = kNoBound;
    const bool is_even = (cells() - position.ply) % 2 == 0;
    pairing_bounds(shape_, follower, mask, wins, landings, is_even, 1u, useful, bound);
    return bound[0];
  }

  // Up to eight children.
  struct Batch {
    Lanes move, mine, mask, wins, landings, replies;
    Lanes key;        // once they are looked for in the table: mixed
    unsigned active;  // bit i: lane i holds a child
  };

  // `moves` are the moves that do not lose at once, at least two.
  int search(const Position& position, Word moves, int alpha) {
    const std::uint64_t first_node = limit_.nodes();
    limit_.count();
    const int ply = position.ply, best_possible = upper_limit(ply);

    // Step 4. Is the answer in the table?
    const Word own_key = key(position);
    Known known{lower_limit(ply), best_possible, kNoMove};
    if (table(ply).read(own_key, known)) {
      if (known.lower > alpha) return known.lower;
      if (known.upper <= alpha) return known.upper;
    }

    // Step 5. All children side by side. A child whose mover faces two threats, or has no reply that does not
    // lose, is won: nothing can be better.
    std::array<Batch, kBatches> batch;
    const int batches = spread(moves, batch);
    const TableOf<Shape>& below = table(ply + 1);
    for (int b = 0; b < batches; ++b) {
      if (expand(position, batch[b])) return best_possible;
      for (unsigned left = batch[b].active; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        batch[b].key[lane] = below.prefetch(batch[b].key[lane]);
      }
    }

    // Step 6. The parity theorems: a bound on what the opponent gets in a child may already be enough.
    for (int b = 0; b < batches; ++b) {
      int bound[kLanes];
      std::fill(bound, bound + kLanes, kNoBound);
      const bool is_even = (cells() - ply - 1) % 2 == 0;
      pairing_bounds(shape_, batch[b].mine, batch[b].mask, batch[b].wins, batch[b].landings, is_even,
                     batch[b].active, -alpha - 1, bound);
      const int least = *std::min_element(bound, bound + kLanes);
      if (-least > alpha) return -least;
    }

    // Step 7. Look all children up: one may answer the question, others need not be searched.
    // The rest is rated: a promise, and which child it is, so that no two ratings are equal.
    int limit[kChildren], rating[kChildren], count = 0;
    const Word known_move = known.move == kNoMove ? 0 : moves & column_cells(shape_, known.move);
    for (int b = 0; b < batches; ++b) {
      const Batch& children = batch[b];
      alignas(64) int promise[kLanes];
      ordering_.score(position.threats, children, promise);
      for (unsigned left = children.active; left; left &= left - 1) {
        const int lane = std::countr_zero(left), child = b * kLanes + lane;
        limit[child] = best_possible;
        Known found;
        if (below.read_mixed(children.key[lane], found)) {
          if (-found.upper > alpha) return -found.upper;
          limit[child] = std::min(limit[child], -found.lower);
        }
        const int first = children.move[lane] == known_move ? kFirst : 0;
        rating[count++] = (promise[lane] + first) * kMostChildren - child;
      }
    }

    // Step 8. Search until one child answers. With other threads at work, children that enough of them are
    // busy with are left for a second round, when the table may know them: one is enough for most, but the
    // first child, which most often answers, is worth the work of some.
    int best = -kNoBound, best_child = 0;
    Busy<Word>* const busy = kMostThreads > 1 && cells() - ply - 1 > kBusyEmpties ? busy_ : nullptr;
    int later[kChildren], postponed = 0;
    Known others{-kNoBound, kNoBound, kNoMove};  // what another thread has found out about this position
    for (int i = 0; i < count + postponed; ++i) {
      const bool is_second_round = i >= count;
      const int child = is_second_round ? later[i - count] : best_rated(rating, count - i);
      const Batch& children = batch[child / kLanes];
      const int lane = child % kLanes;
      int value = limit[child];
      if (value > alpha) {
        const Position next{children.mine[lane] ^ children.mask[lane], children.mask[lane],
                            children.wins[lane], children.landings[lane], ply + 1};
        if (busy) {
          const Word child_key = children.key[lane];
          if (!is_second_round && busy->threads_in(child_key) >= helpers(ply, i)) {
            later[postponed++] = child;
            continue;
          }
          try {
            value = -value_together(next, child_key, {own_key, ply, alpha});
          } catch (const Answered& answered) {
            if (answered.depth != depth_) throw;
            return answered.value;
          }
        } else {
          value = -this->value(next, -alpha - 1);
        }
      }
      if (value > best) {
        best = value;
        best_child = child;
      }
      if (value > alpha) break;
      if (busy && table(ply).read(own_key, others) && others.upper <= alpha) return others.upper;
      if (busy && others.lower > alpha) return others.lower;
    }

    // Step 9. Remember.
    known.move = column_of(shape_, Word(batch[best_child / kLanes].move[best_child % kLanes]));
    if (best > alpha) {
      known.lower = std::max(known.lower, best);
    } else {
      known.upper = std::min(known.upper, best);
    }
    table(ply).write(own_key, known, limit_.nodes() - first_node);
    return best;
  }

  // The child with the highest of so many ratings, which is taken out. As most nodes search few of their
  // children, all need not be sorted; and there is no branch here that the processor would have to guess.
  static int best_rated(int (&rating)[kChildren], int count) {
    int best = rating[0], place = 0;
    for (int i = 1; i < count; ++i) {
      place = rating[i] > best ? i : place;
      best = std::max(best, rating[i]);
    }
    rating[place] = rating[count - 1];
    return -best & (kMostChildren - 1);
  }

  // Puts one move into each lane; returns the number of batches it takes. A column has a lane of its own
  // where there are enough of them; on wider boards the moves close up, for most often eight lanes are
  // enough.
  int spread(Word moves, std::array<Batch, kBatches>& batch) const {
    if (kBatches == 1 || shape_.columns <= kLanes) {
      batch[0].move = columns_ & moves;
      batch[0].active = ~zero_lanes(batch[0].move) & ((1u << kLanes) - 1);
      return 1;
    }
    int batches = 0;
    do {
      Batch& children = batch[batches++];
      children.move = lowest_bits(moves);
      children.active = ~zero_lanes(children.move) & ((1u << kLanes) - 1);
    } while (moves);
    return batches;
  }

  // Fills in the children of one batch from their moves; returns whether one of them is won.
  bool expand(const Position& position, Batch& children) const {
    children.mine = children.move | position.mine;
    children.mask = children.move | position.mask;
    children.wins = winning_cells(shape_, children.mine, children.mask);
    children.landings = landing_cells(shape_, children.mask);
    const Lanes attacked = children.wins & children.landings;
    children.replies = where_zero(attacked, children.landings, attacked) & ~(children.wins >> 1);
    const unsigned double_attack = ~zero_lanes(Lanes(attacked & (attacked - 1)));
    if (children.active & (zero_lanes(children.replies) | double_attack)) return true;
    children.key = (children.mine ^ children.mask) + children.mask;
    if (is_mirrored(position.ply + 1)) children.key = smaller_of(children.key, mirror(shape_, children.key));
    return false;
  }

  // A question that is open further up, whose answer another thread may find first.
  struct Question {
    Word key;
    int ply, alpha;
  };
  // Thrown up to that question: what is being searched for it is of no use any more.
  struct Answered {
    int depth, value;
  };

  // The value of a child of `question`, which others can see somebody is at.
  int value_together(const Position& child, Word child_key, const Question& question) {
    look_above();
    const typename Busy<Word>::Guard guard(*busy_, child_key);
    const struct Open {
      int& depth;
      ~Open() { --depth; }
    } open{depth_};
    above_[depth_++] = question;
    return value(child, -question.alpha - 1);
  }

  // Has another thread answered one of the questions above? Asked now and then: it takes some looks into the
  // far table. Without it, a thread goes on in a subtree to its end after another has refuted the move that
  // led there, and two threads search 5 % more nodes, sixteen 12 %.
  void look_above() {
    if (limit_.nodes() < next_look_) return;
    next_look_ = limit_.nodes() + kLookEvery;
    for (int depth = 0; depth < depth_; ++depth) {
      const auto& [key, ply, alpha] = above_[depth];
      Known known;
      if (!table(ply).read(key, known)) continue;
      if (known.lower > alpha) throw Answered{depth, known.lower};
      if (known.upper <= alpha) throw Answered{depth, known.upper};
    }
  }

  static constexpr int kMostChildren = 64;
  static_assert(kChildren <= kMostChildren);
  static constexpr int kFirst = 1 << 24;  // more than any promise
  static constexpr int kBusyEmpties = 18, kJoinedEmpties = 32;

  // How many threads may be in the child that comes at this place: in the first, the more, the larger it is.
  // Two threads stay together in the next two as well high up in the tree: apart there, one of them would
  // throw away much work when the other one's child answers.
  int helpers(int ply, int place) const {
    const bool is_joined = busy_->is_of_two && place < 3 && cells() - ply > kJoinedEmpties;
    return place == 0 || is_joined ? (cells() - ply - 16) / 2 : 1;
  }

  static constexpr std::uint64_t kLookEvery = 512;

  const Shape shape_;
  TableOf<Shape>& far_;
  TableOf<Shape>& middle_;
  TableOf<Shape>& near_;
  const Ordering<Shape>& ordering_;
  Limit& limit_;
  Busy<Word>* const busy_;  // null when this search is alone
  Lanes columns_{};
  std::array<Question, 128> above_;  // as deep as a board has cells
  int depth_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace claimeven
