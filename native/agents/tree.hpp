// The tree of a Monte Carlo search: nodes in one block of memory, optionally shared by transpositions.
//
// With a table, a node whose position the tree already holds is a *link* to the node that holds it: value
// and children are shared, the number of tries stays with the move.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "agents/memo.hpp"
#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

inline constexpr int kUnproven = 2;  // otherwise 1 win, 0 draw, -1 loss

// The statistics of a node are those of the side that moved into it.
struct Node {
  std::uint32_t tries = 0;   // of this move from its parent
  std::uint32_t visits = 0;  // of this position: the same unless moves transpose
  std::uint32_t points = 0;  // 2 for a win, 1 for a draw
  float mean = 0;            // points / (2 visits)
  float spread = 0;          // 1 / sqrt(tries)
  std::uint32_t first = 0;   // child; of a link: the node that holds the position
  std::uint8_t count = 0;    // of children; kLink
  std::uint8_t cell = 0;     // of the move, as a bit index
  std::int8_t proven = kUnproven;
  bool is_end : 1 = false;    // the game is over here
  bool has_draw : 1 = false;  // a move is proven to draw

  static constexpr std::uint8_t kLink = 255;
  bool is_link() const { return count == kLink; }

  // One more try of the move (a link or not) and one more visit of the position.
  void add_try() { spread = 1 / std::sqrt(static_cast<float>(++tries)); }
  void add_visit(std::uint32_t gain) {
    points += gain;
    mean = 0.5f * static_cast<float>(points) / static_cast<float>(++visits);
  }
};

template <class Shape>
class Tree {
 public:
  using Word = typename Shape::Word;
  using Index = std::uint32_t;
  static constexpr Index kNowhere = ~Index{0};

  // The tree stops growing at tree_bytes. Without table_entries there are no links.
  Tree(const Shape& shape, std::size_t tree_bytes, std::size_t table_entries)
      : shape_(shape),
        largest_(std::max<std::size_t>(tree_bytes / sizeof(Node), 2 * kMaxColumns)),
        table_entries_(table_entries) {}

  Node& operator[](Index index) { return nodes_[index]; }
  const Node& operator[](Index index) const { return nodes_[index]; }
  Index holder(Index index) const { return nodes_[index].is_link() ? nodes_[index].first : index; }
  std::size_t size() const { return nodes_.size(); }
  bool is_full() const { return nodes_.size() + static_cast<std::size_t>(shape_.columns) > largest_; }
  const Stones<Shape>& root() const { return root_; }

  std::uint64_t lookups = 0, hits = 0;
  std::uint64_t replaced() const { return table_ ? table_->replaced() : 0; }

  // A single root.
  void start(const Stones<Shape>& stones) {
    nodes_.clear();
    nodes_.emplace_back();
    adopt_root(stones);
  }

  // Makes a position at most two plies below the root the new root and drops all that does not hang on it;
  // false when the tree does not hold it.
  bool advance(const Stones<Shape>& stones) {
    const int plies = stones.ply() - root_.ply();
    const Index kept = (nodes_.empty() || plies < 0 || plies > 2) ? kNowhere : find(0, root_, stones, plies);
    if (kept == kNowhere) return false;
    const std::vector<Node> old = std::move(nodes_);
    nodes_.clear();
    nodes_.push_back(old[kept]);
    adopt_root(stones);
    copy_below(old, kept);
    return true;
  }

  // Gives a node its children, in random order: untried ones are tried from first to last.
  void expand(Index parent, const Stones<Shape>& stones, Random& random) {
    const auto first = static_cast<Index>(nodes_.size());
    const Word landings = landing_cells(shape_, stones.mask);
    const Word wins = winning_cells(shape_, stones.mine, stones.mask) & landings;
    std::uint8_t count = 0;
    for (Word rest = landings; rest; rest &= rest - 1) {
      const Word cell = lowest_bit(rest);
      Node child;
      child.cell = static_cast<std::uint8_t>(lowest_index(cell));
      child.is_end = (cell & wins) || (stones.mask | cell) == shape_.full;
      if (child.is_end) child.proven = (cell & wins) ? 1 : 0;
      nodes_.push_back(child);
      std::swap(nodes_.back(), nodes_[first + random.below(++count)]);
    }
    nodes_[parent].first = first;
    nodes_[parent].count = count;
    for (Index child = first; table_ && child < first + count; ++child) {
      if (!nodes_[child].is_end) link(child, stones.play(Word{1} << nodes_[child].cell));
    }
  }

 private:
  struct Held {
    Index node;
    std::uint32_t is_used;
    bool is_empty() const { return !is_used; }
    int worth() const { return 0; }
  };

  void adopt_root(const Stones<Shape>& stones) {
    root_ = stones;
    if (table_entries_ > 0)
      table_ = std::make_unique<Memo<Word, Held>>(table_entries_ * Memo<Word, Held>::kEntryBytes);
    hold(0, stones);
  }

  void hold(Index node, const Stones<Shape>& stones) {
    if (table_) table_->place(stones.key()) = {node, 1};
  }

  // Makes a new node a link if its position is held already, else its holder.
  void link(Index node, const Stones<Shape>& stones) {
    ++lookups;
    if (const Held* held = table_->find(stones.key())) {
      ++hits;
      nodes_[node].count = Node::kLink;
      nodes_[node].first = held->node;
    } else {
      hold(node, stones);
    }
  }

  Index find(Index node, const Stones<Shape>& at, const Stones<Shape>& wanted, int plies) const {
    if (plies == 0) return at.key() == wanted.key() ? holder(node) : kNowhere;
    const Node& parent = nodes_[holder(node)];
    for (Index child = parent.first; child < parent.first + parent.count; ++child) {
      const Word cell = Word{1} << nodes_[child].cell;
      const Index found = (cell & wanted.mask) ? find(child, at.play(cell), wanted, plies - 1) : kNowhere;
      if (found != kNowhere) return found;
    }
    return kNowhere;
  }

  // Copies what hangs on the new root. A link whose holder is not copied takes its place.
  void copy_below(const std::vector<Node>& old, Index kept) {
    struct Task {
      Index from, to;  // the holder in the old tree; its copy, or the link to it, in the new one
      Stones<Shape> stones;
    };
    std::vector<Index> copies(old.size(), kNowhere);
    copies[kept] = 0;
    std::vector<Task> tasks = {{kept, 0, root_}}, links;
    while (!tasks.empty() || !links.empty()) {
      if (tasks.empty()) {
        const Task task = links.back();
        links.pop_back();
        Node& node = nodes_[task.to];
        if (copies[task.from] != kNowhere) {
          node.first = copies[task.from];
          continue;
        }
        const Node was = node;
        node = old[task.from];
        node.tries = was.tries, node.spread = was.spread, node.cell = was.cell;
        copies[task.from] = task.to;
        tasks.push_back(task);
      }
      const Task task = tasks.back();
      tasks.pop_back();
      if (task.to != 0) hold(task.to, task.stones);
      const Node parent = old[task.from];
      nodes_[task.to].first = static_cast<Index>(nodes_.size());
      for (Index child = parent.first; child < parent.first + parent.count; ++child) {
        const auto to = static_cast<Index>(nodes_.size());
        const auto stones = task.stones.play(Word{1} << old[child].cell);
        nodes_.push_back(old[child]);
        if (old[child].is_link()) {
          links.push_back({old[child].first, to, stones});
        } else {
          copies[child] = to;
          tasks.push_back({child, to, stones});
        }
      }
    }
  }

  const Shape shape_;
  const std::size_t largest_, table_entries_;
  Stones<Shape> root_;
  std::vector<Node> nodes_;
  std::unique_ptr<Memo<Word, Held>> table_;
};

}  // namespace claimeven
