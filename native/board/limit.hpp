// What a search may use up: nodes, time, or until someone says stop.
//
// Where a search ends by nodes does not depend on time: the clock and the caller are looked at in between,
// and change nothing unless they end the search.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "board/system.hpp"

namespace claimeven {

// Thrown out of a search that has reached a limit or was asked to stop. What it had stored in the table
// before is complete and stays valid.
struct Stopped {};

// A limit belongs to one search: it counts what was used, and the time since it was made.
class Limit {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  const std::atomic<bool>* stop = nullptr;  // set by another thread
  // Called about fifty times a second with the nodes so far; returns true to stop, may throw.
  std::function<bool(std::uint64_t)> heartbeat;

  explicit Limit(std::uint64_t nodes = kUnlimited) : node_limit_(nodes) {}

  // No time at all for what is not a positive number.
  void end_after(double seconds) {
    const std::chrono::duration<double> time(seconds > 0 ? std::min(seconds, 1e9) : 0.0);
    deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(time);
  }

  // After how many nodes to look at the clock. The search knows how long its nodes take: it should be a
  // fraction of a millisecond.
  void look_every(std::uint64_t nodes) { interval_ = next_look_ = nodes; }

  std::uint64_t nodes() const { return nodes_ + others_; }
  void add(std::uint64_t nodes) { others_ += nodes; }  // searched by other threads on our behalf
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Counts a node; throws Stopped when that is one too many.
  void count() {
    if (++nodes_ >= next_check_) check();
  }

  // For searches that return instead: counts a node, unless it is one too many. Then it is false for ever.
  bool tick() {
    if (++nodes_ < next_check_ || !must_end()) [[likely]]
      return true;
    --nodes_;
    is_stopped_ = true;
    return false;
  }
  bool has_ended() const { return is_stopped_; }

  // For a thread that waits for others: the checks of `count`, without counting.
  void wait() {
    rest(std::chrono::microseconds(200));
    next_look_ = 0;
    check();
  }

  // The result of `work`, which may use one of so many equal parts of what is left of the limits.
  template <class Work>
  auto share(std::int64_t parts, Work work) {
    const auto all_time = deadline_;
    const std::uint64_t all_nodes = node_limit_;
    const auto now = Clock::now();
    if (all_time != Clock::time_point::max() && now < all_time) deadline_ = now + (all_time - now) / parts;
    if (all_nodes != kUnlimited && nodes_ < all_nodes) node_limit_ = nodes_ + (all_nodes - nodes_) / parts;
    next_check_ = next_look_ = 0;  // a part that is used up is noticed at once
    auto result = work();
    deadline_ = all_time;
    node_limit_ = all_nodes;
    next_check_ = 0;
    return result;
  }

  // The result of `work`, unless that takes more than so many nodes.
  template <class Work>
  auto within(std::uint64_t nodes, Work work) -> std::optional<decltype(work())> {
    const std::uint64_t limit = node_limit_;
    node_limit_ = std::min(limit, nodes_ + nodes);
    next_check_ = 0;
    try {
      auto result = work();
      node_limit_ = limit;
      return result;
    } catch (const Stopped&) {
      const bool was_enough = nodes_ <= node_limit_ || nodes_ > limit;
      node_limit_ = limit;
      if (was_enough) throw;
      return std::nullopt;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kBeat = std::chrono::milliseconds(20);

  void check() {
    if (must_end()) throw Stopped();
  }

  bool must_end() {
    if (nodes_ > node_limit_ || is_stopped_) return true;
    if (nodes_ >= next_look_) {
      next_look_ = nodes_ + interval_;
      if (stop && stop->load(std::memory_order_relaxed)) return true;
      const auto now = Clock::now();
      if (now >= deadline_) return true;
      if (heartbeat && now >= next_beat_) {
        is_stopped_ = heartbeat(nodes());
        next_beat_ = Clock::now() + kBeat;  // the beat may have waited for the GIL
        if (is_stopped_) return true;
      }
    }
    next_check_ = std::min(next_look_, node_limit_ == kUnlimited ? kUnlimited : node_limit_ + 1);
    return false;
  }

  Clock::time_point start_ = Clock::now(), next_beat_ = start_ + kBeat;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t node_limit_;
  std::uint64_t interval_ = 1024;  // about 0.1 ms of the solver
  std::uint64_t nodes_ = 0, others_ = 0, next_check_ = 0, next_look_ = interval_;
  bool is_stopped_ = false;  // said once: whatever is still to be done under this limit ends at once
};

}  // namespace claimeven
