// The exact solver: asks the search one null window after the other until the score is known.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/limit.hpp"
#include "board/system.hpp"
#include "solver/book.hpp"
#include "solver/bounds.hpp"
#include "solver/search.hpp"

namespace claimeven {

inline constexpr int kUnlimitedDepth = 1000;

struct Column {
  int column;
  Bounds bounds;  // of playing there, for the side to move
};

struct Analysis {
  std::vector<Column> columns;
  std::vector<int> line;  // best play of both sides; a part of it when stopped
};

template <class Shape>
class Solver {
 public:
  using Word = typename Shape::Word;
  using Position = Stones<Shape>;

  Solver(const Shape& shape, std::size_t bytes, int threads)
      : shape_(shape), ordering_(shape), far_(bytes), threads_(threads) {
    busy_.is_of_two = is_pair();
    prepare(1);
  }

  const Shape& shape() const { return shape_; }
  TableOf<Shape>& table() { return far_; }  // what is worth keeping: the near ones are soon filled again
  void use_book(const Book* book) { book_ = book; }  // of this board, or none

  // Forget what was learned from earlier positions. Scores do not change by it, only the effort.
  void clear() {
    far_.clear();
    if (middle_) middle_->clear();
    for (auto& near : near_) near->clear();
  }

  // The score, or as much of it as the goal asks for and the limits allow. With `depth`, only wins of either
  // side within so many stones are looked for.
  Bounds solve(const Position& position, Goal goal, Limit& limit, int depth = kUnlimitedDepth) {
    Bounds bounds{};
    if (!is_obvious(position, bounds)) improve(position, goal, limit, depth, bounds);
    return bounds;
  }

  // One question: is the score greater than alpha? Narrows sound bounds; they stay as they are when stopped.
  void ask(const Position& position, int alpha, Limit& limit, Bounds& bounds) {
    Bounds plain{};
    if (is_obvious(position, plain)) {
      bounds = plain;
      return;
    }
    try {
      const int value = ask(root_of(position), alpha, limit);
      (value <= alpha ? bounds.upper : bounds.lower) = value;
    } catch (const Stopped&) {
    }
  }

  // Every column exactly, and a line of best play to the end of the game. The columns share the limits: in
  // the first round half of them in equal parts, in the second those still open share what is left, and in
  // the last each may use it up. The one that looks best comes first: after the first round its bounds tell.
  // A later round finds in the table what an earlier one has searched.
  Analysis analyse(const Position& position, Limit& limit, int depth = kUnlimitedDepth,
                   bool with_line = true) {
    Analysis analysis;
    if (position.is_won(shape_)) return analysis;
    if (depth != kUnlimitedDepth) depth = std::max(0, depth - 1);
    std::vector<Child> open;
    for (Word left = landing_cells(shape_, position.mask); left; left &= left - 1) {
      Child column{position.play(lowest_bit(left)), {}, column_of(shape_, lowest_bit(left))};
      column.is_done = is_obvious(column.position, column.bounds);
      open.push_back(column);
    }
    for (const int round : {0, 1, 2}) {
      std::vector<Child*> waiting = best_first(open);
      limit.share(round == 0 ? 2 : 1, [&] {
        std::int64_t parts = std::ssize(waiting);
        for (Child* column : waiting) {
          column->is_done = limit.share(round == 2 ? 1 : parts--, [&] {
            return improve(column->position, Goal::kScore, limit, depth, column->bounds);
          });
        }
        return true;
      });
    }
    bool is_exact = true;
    int best = -kNoBound;
    for (const Child& column : open) {
      const Bounds bounds = -column.bounds;
      analysis.columns.push_back({column.number, bounds});
      is_exact = is_exact && bounds.is_exact();
      best = std::max(best, bounds.lower);
    }
    if (with_line && is_exact && !analysis.columns.empty()) analysis.line = line(position, best, limit);
    return analysis;
  }

  // Best play of both sides from a position with this exact score; a part of it when stopped. `quickly`:
  // moves that the search found good come first, so that the line depends on what was asked before.
  std::vector<int> line(Position position, int score, Limit& limit, bool quickly = false) {
    std::vector<int> found;
    try {
      while (!position.is_won(shape_) && position.mask != shape_.full) {
        const Word wanted = best_move(position, score, limit, quickly ? good_move(position) : 0);
        found.push_back(column_of(shape_, wanted));
        position = position.play(wanted);
        score = -score;
      }
    } catch (const Stopped&) {
    }
    return found;
  }

  // Many independent positions on all threads; `bounds[i]` is filled in for `positions[i]`. Throws Stopped.
  void solve_all(const std::vector<Position>& positions, Goal goal, std::vector<Bounds>& bounds,
                 Limit& limit) {
    bounds.resize(positions.size());
    const int workers = std::max(1, std::min<int>(threads_, static_cast<int>(positions.size() / kChunk)));
    prepare(workers);
    if (workers > 1) far_.grow_fully();
    std::atomic<std::size_t> next{0};
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> nodes{0};
    const auto work = [&](int worker, Limit& own) {
      Search<Shape> search(shape_, far_, *near_[worker], *near_[worker], ordering_, own);
      for (std::size_t from; (from = next.fetch_add(kChunk)) < positions.size();) {
        for (std::size_t i = from; i < std::min(from + kChunk, positions.size()); ++i) {
          if (is_obvious(positions[i], bounds[i])) continue;
          narrow(positions[i], goal, kUnlimitedDepth, bounds[i],
                 [&](const Node<Shape>& root, int alpha) { return search.value(root, alpha); });
        }
      }
    };
    std::atomic<int> running{workers - 1};
    Helpers helpers(is_over);
    for (int worker = 1; worker < workers; ++worker) {
      helpers.start([&, worker] {
        Limit own;
        own.stop = &is_over;
        try {
          work(worker, own);
        } catch (const Stopped&) {
        }
        nodes += own.nodes();
        --running;
      });
    }
    const auto finish = [&] {
      helpers.end();
      limit.add(nodes);
    };
    try {
      work(0, limit);
      while (running > 0) limit.wait();
    } catch (...) {
      finish();
      throw;
    }
    finish();
  }

 private:
  // Several threads share what they know of 15 to 20 empty cells, each with less for itself: with twice as
  // much of both, two threads searched 2 % fewer nodes, each of which took up to a quarter longer.
  static constexpr std::size_t kNearBytes = std::size_t{2} << 20, kSharerBytes = kNearBytes / 2;
  static constexpr std::size_t kChunk = 16;
  static constexpr std::uint64_t kAlone = 30000;  // nodes before other threads are worth their start

  struct Child {
    Position position;
    Bounds bounds;
    int number;
    bool is_done = false;
  };

  int cells() const { return shape_.cells; }

  // The columns still to be done, the one with the best bounds first; at first they are in order.
  std::vector<Child*> best_first(std::vector<Child>& columns) const {
    std::vector<Child*> found;
    for (Child& column : columns) {
      if (!column.is_done) found.push_back(&column);
    }
    std::stable_sort(found.begin(), found.end(), [](const Child* a, const Child* b) {
      // These are the opponent's.
      return a->bounds.lower + a->bounds.upper < b->bounds.lower + b->bounds.upper;
    });
    return found;
  }

  Node<Shape> root_of(const Position& position) const {
    return {position.mine, position.mask, winning_cells(shape_, position.theirs(), position.mask),
            landing_cells(shape_, position.mask), position.ply()};
  }

  // Narrows sound bounds as far as the limits allow; false when they stopped it.
  bool improve(const Position& position, Goal goal, Limit& limit, int depth, Bounds& bounds) {
    try {
      narrow(position, goal, depth, bounds,
             [&](const Node<Shape>& root, int alpha) { return ask(root, alpha, limit); });
      return true;
    } catch (const Stopped&) {
      return false;
    }
  }

  // Scores that need no search; fills in the widest possible bounds otherwise.
  bool is_obvious(const Position& position, Bounds& bounds) const {
    const int ply = position.ply();
    if (position.is_won(shape_)) {
      const int score = -((cells() + 2 - ply) / 2);
      bounds = {score, score};
      return true;
    }
    const Word landings = landing_cells(shape_, position.mask);
    const bool has_fours = shape_.connect <= std::max(shape_.columns, shape_.rows);
    if (!landings || !has_fours) {
      bounds = {0, 0};
      return true;
    }
    if (landings & winning_cells(shape_, position.mine, position.mask)) {
      const int score = (cells() + 1 - ply) / 2;
      bounds = {score, score};
      return true;
    }
    bounds = {-((cells() - ply) / 2), (cells() - 1 - ply) / 2};
    if constexpr (sizeof(typename Shape::Word) <= sizeof(std::uint64_t)) {  // wider ones have no books
      if (book_ && ply <= book_->plies()) {
        if (const auto score = book_->score(book_key(shape_, position))) {
          bounds = {*score, *score};
          return true;
        }
      }
    }
    return false;
  }

  // Asks null windows until the goal is reached; `bounds` are sound at every moment.
  template <class Ask>
  void narrow(const Position& position, Goal goal, int depth, Bounds& bounds, Ask ask) const {
    const Node<Shape> root = root_of(position);
    // A win within `depth` stones has at least this score.
    const int quick = depth == kUnlimitedDepth ? 0 : std::max(0, (cells() + 2 - root.ply - depth) / 2);
    while (!bounds.is_exact() && !(goal == Goal::kOutcome && (bounds.lower > 0 || bounds.upper < 0))) {
      int alpha = next_window(bounds, goal);
      if (alpha > -quick && alpha < quick - 1) {
        if (bounds.upper >= quick) {
          alpha = quick - 1;
        } else if (bounds.lower <= -quick) {
          alpha = -quick;
        } else {
          return;
        }
      }
      const int value = ask(root, alpha);
      if (value <= alpha) {
        bounds.upper = value;
      } else {
        bounds.lower = value;
      }
    }
  }

  // One question, on as many threads as it is worth. All search the same tree and share the far table; see
  // busy.hpp for how they keep out of each other's way.
  int ask(const Node<Shape>& root, int alpha, Limit& limit) {
    Search<Shape> search(shape_, far_, *near_[0], *near_[0], ordering_, limit);
    if (threads_ == 1) return search.value(root, alpha);
    if (const auto quick = limit.within(kAlone, [&] { return search.value(root, alpha); })) return *quick;

    prepare(threads_);
    if (!middle_) middle_ = std::make_unique<TableOf<Shape>>(kSharerBytes * threads_, is_pair());
    middle_->grow_fully();
    for (;;) {
      if (const auto answer = ask_together(root, alpha, limit)) return *answer;
      far_.grow_on(threads_);
    }
  }

  // None when the far table must grow first.
  std::optional<int> ask_together(const Node<Shape>& root, int alpha, Limit& limit) {
    std::atomic<bool> is_over{false}, is_answered{false};
    std::atomic<int> answer{0};
    std::atomic<std::uint64_t> nodes{0};
    far_.share(&is_over);
    const auto search = [&](int thread, Limit& own) {
      Search<Shape> search(shape_, far_, *middle_, *near_[thread], ordering_, own, &busy_);
      const int value = search.value(root, alpha);
      if (!is_answered.exchange(true)) answer = value;
      is_over = true;
    };
    Helpers helpers(is_over);
    for (int i = 1; i < threads_; ++i) {
      helpers.start([&, i] {
        Limit own;
        own.stop = &is_over;
        try {
          search(i, own);
        } catch (const Stopped&) {
        }
        nodes += own.nodes();
      });
    }
    const std::atomic<bool>* outer = std::exchange(limit.stop, &is_over);
    const auto finish = [&] {
      helpers.end();
      far_.share(nullptr);
      limit.stop = outer;
      limit.add(nodes);
    };
    try {
      search(0, limit);
    } catch (const Stopped&) {
      // A helper was first, the table is full, or a limit was reached.
      finish();
      if (is_answered) return answer;
      if (far_.is_full()) return std::nullopt;
      throw;
    } catch (...) {
      finish();
      if (!is_answered) throw;
      return answer;
    }
    finish();
    return answer;
  }

  // Their tables age, and they stay together longer; for more threads neither was seen to help.
  bool is_pair() const { return threads_ == 2; }

  void prepare(int threads) {
    while (static_cast<int>(near_.size()) < threads) {
      near_.push_back(threads_ == 1 ? std::make_unique<TableOf<Shape>>(kNearBytes)
                                    : std::make_unique<TableOf<Shape>>(kSharerBytes, is_pair()));
    }
  }

  // What the table says to play, and its mirror image: it does not tell which of the two was meant.
  Word good_move(const Position& position) const {
    const Word key = position.key();
    Known known;
    if (!far_.read(std::min(key, mirror(shape_, key)), known) && !far_.read(key, known)) return 0;
    if (known.move == kNoMove) return 0;
    const Word column = column_cells(shape_, known.move);
    return column | mirror(shape_, column);
  }

  // A move that keeps the score: a child that is worth no more than -score to the opponent. Columns of
  // `first` are tried before others.
  Word best_move(const Position& position, int score, Limit& limit, Word first) {
    const Word landings = landing_cells(shape_, position.mask);
    const Word wins = landings & winning_cells(shape_, position.mine, position.mask);
    if (wins) return lowest_bit(wins);
    std::vector<Word> moves;
    for (int i = 0; i < shape_.columns; ++i) {  // from the centre outwards
      const int column = shape_.columns / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
      if (column < 0 || column >= shape_.columns) continue;
      if (const Word move = landings & column_cells(shape_, column)) moves.push_back(move);
    }
    std::stable_partition(moves.begin(), moves.end(), [first](Word move) { return (move & first) != 0; });
    for (const Word move : moves) {
      const Position child = position.play(move);
      Bounds bounds{};
      if (!is_obvious(child, bounds)) {
        if (ask(root_of(child), -score, limit) <= -score) return move;
      } else if (bounds.upper <= -score) {
        return move;
      }
    }
    throw std::logic_error("no move keeps the score");  // would mean that a score is wrong
  }

  const Shape shape_;
  const Ordering<Shape> ordering_;
  TableOf<Shape> far_;
  std::vector<std::unique_ptr<TableOf<Shape>>> near_;  // one per thread
  std::unique_ptr<TableOf<Shape>> middle_;             // of all threads that search one tree
  Busy<Word> busy_;
  const int threads_;
  const Book* book_ = nullptr;
};

}  // namespace claimeven
