// What a search may use up: nodes, time, or until someone says stop.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace claimeven {

struct Limit {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  // Asked every few milliseconds: whether to stop. May throw, to abandon the search.
  std::function<bool()> is_stopped = [] { return false; };
};

// Counts nodes and says when to end. Where a search ends by nodes does not depend on time: the clock
// and the caller are looked at in between, and change nothing unless they end the search.
class Watch {
 public:
  // `interval`: after how many nodes to look at the clock; it should be a fraction of a millisecond.
  Watch(const Limit& limit, std::uint64_t interval)
      : limit_(limit), interval_(interval), start_(Clock::now()), asked_(start_) {
    schedule();
  }

  // Counts one node; false when the search must end (this node included).
  bool tick() {
    if (nodes_ >= next_) [[unlikely]]
      look();
    nodes_ += ended_ ? 0 : 1;
    return !ended_;
  }

  bool has_ended() const { return ended_; }
  std::uint64_t nodes() const { return nodes_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  void look() {
    if (ended_) return;
    const auto now = Clock::now();
    if (nodes_ >= limit_.nodes || std::chrono::duration<double>(now - start_).count() >= limit_.seconds) {
      ended_ = true;
    } else if (now - asked_ >= std::chrono::milliseconds(4)) {
      ended_ = limit_.is_stopped();
      asked_ = Clock::now();  // asking may have waited for the GIL
    }
    schedule();
  }

  void schedule() { next_ = std::min(limit_.nodes, nodes_ + interval_); }

  const Limit& limit_;
  const std::uint64_t interval_;
  const Clock::time_point start_;
  Clock::time_point asked_;
  std::uint64_t nodes_ = 0;
  std::uint64_t next_ = 0;
  bool ended_ = false;
};

}  // namespace claimeven
