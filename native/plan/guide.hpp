// Follows a map (docs/map.md) in many positions at once: what its holder plays, as src/claimeven/map/walk.py
// finds it in one.
//
// A position is on the map when some order of its moves leads there. All orders are tried, from the root
// down, through positions whose stones all lie on the board already, until one ends in this position; the
// order in which they are tried is that of walk.py, so that both play alike.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/random.hpp"
#include "plan/plan.hpp"

namespace claimeven {

template <class Shape>
class Guide {
  using Word = typename Shape::Word;
  static constexpr std::int32_t kNone = -1;

  struct Place {  // the opponent is to move
    Word theirs, mask;
    std::int32_t plan;  // that is followed; kNone before a leaf
    bool operator==(const Place&) const = default;
  };

 public:
  struct Node {
    std::int32_t plan = kNone;                   // of a leaf
    std::vector<std::pair<Word, Word>> answers;  // of an inner node: by reply
  };

  explicit Guide(const Shape& shape) : shape_(shape) {}

  void add_plan(const Plan& plan) { plans_.emplace_back(plan); }
  // A node and its mirror image are two of these.
  void add_node(Word theirs, Word mask, Node node) { nodes_[key(theirs, mask)] = std::move(node); }
  void add_root(Word theirs, Word mask) { roots_.push_back({theirs, mask, kNone}); }

  // What the holder, who is to move, plays; 0 off the map, unless a four is at hand.
  Word cell(Word ours, Word mask) {
    const Word theirs = ours ^ mask, open = landing_cells(shape_, mask);
    // Wherever it is on the map, a four is completed, and a lone threat stopped.
    if (const Word wins = winning_cells(shape_, ours, mask) & open) return lowest_bit(wins);
    const Word stops = winning_cells(shape_, theirs, mask) & open;
    if (stops && stops == lowest_bit(stops)) return stops;
    waiting_.clear();
    seen_.clear();
    table_.assign(std::size_t{1} << 8, kNone);
    for (const Place& root : roots_) {
      if (!(root.theirs & ~theirs) && !((root.mask ^ root.theirs) & ~ours)) enter(root);
    }
    while (!waiting_.empty()) {
      const Place place = waiting_.back();
      waiting_.pop_back();
      if (!is_new(place)) continue;
      for (Word left = landing_cells(shape_, place.mask) & theirs; left; left &= left - 1) {
        const Word x = lowest_bit(left), y = answer(place, x);
        if ((place.mask | x) == mask) return y;
        if (y & ours) enter({place.theirs | x, place.mask | x | y, place.plan});
      }
    }
    return 0;
  }

 private:
  static std::uint64_t key(Word theirs, Word mask) {
    const Word sum = theirs + mask;
    auto hash = static_cast<std::uint64_t>(sum);
    if constexpr (sizeof(Word) > 8) hash ^= scrambled(static_cast<std::uint64_t>(sum >> 64));
    return hash;
  }

  void enter(Place place) {
    if (place.plan == kNone) {
      if (const auto node = nodes_.find(key(place.theirs, place.mask)); node != nodes_.end()) {
        place.plan = node->second.plan;
      }
    }
    waiting_.push_back(place);
  }

  Word answer(const Place& place, Word x) const {
    const Word theirs = place.theirs | x, mask = place.mask | x, open = landing_cells(shape_, mask);
    if (const Word wins = winning_cells(shape_, mask ^ theirs, mask) & open) return lowest_bit(wins);
    if (place.plan != kNone) {
      if (const Word stops = winning_cells(shape_, theirs, mask) & open) return lowest_bit(stops);
      return plans_[place.plan].reply(lowest_index(x), open);
    }
    const auto node = nodes_.find(key(place.theirs, place.mask));
    if (node == nodes_.end()) return 0;
    for (const auto& [reply, cell] : node->second.answers) {
      if (reply == x) return cell;
    }
    return 0;
  }

  bool is_new(const Place& place) {
    if (2 * seen_.size() >= table_.size()) {
      table_.assign(table_.size() * 2, kNone);
      for (std::size_t i = 0; i < seen_.size(); ++i) *free_place(seen_[i]) = static_cast<std::int32_t>(i);
    }
    auto* const found = free_place(place);
    if (*found != kNone) return false;
    *found = static_cast<std::int32_t>(seen_.size());
    seen_.push_back(place);
    return true;
  }

  // Where a place is in the table, or would be.
  std::int32_t* free_place(const Place& place) {
    std::size_t at =
        scrambled(key(place.theirs, place.mask) + static_cast<std::uint64_t>(place.plan) * 0x9e3779b9u);
    for (at &= table_.size() - 1; table_[at] != kNone; at = (at + 1) & (table_.size() - 1)) {
      if (seen_[table_[at]] == place) break;
    }
    return &table_[at];
  }

  Shape shape_;
  std::vector<Answers<Word>> plans_;
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<Place> roots_, waiting_, seen_;
  std::vector<std::int32_t> table_;
};

}  // namespace claimeven
