// Limits of a long computation, and the way to end it early.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

namespace claimeven {

// Thrown out of a search that has reached a limit or was asked to stop. What it had stored in the table
// before is complete and stays valid.
struct Stopped {};

class Control {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  Clock::time_point deadline = Clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;  // set by another thread
  // Called about fifty times a second with the nodes so far; returns true to stop, may throw.
  std::function<bool(std::uint64_t)> heartbeat;

  explicit Control(std::uint64_t node_limit = kUnlimited) : node_limit_(node_limit) {}

  std::uint64_t nodes() const { return nodes_ + others_; }
  void add(std::uint64_t nodes) { others_ += nodes; }  // searched by other threads on our behalf

  void count() {
    if (++nodes_ >= next_check_) check();
  }

  // For a thread that waits for others: the checks of `count`, without counting.
  void wait() {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    next_look_ = 0;
    check();
  }

  // The result of `work`, which may use one of so many equal parts of what is left of the limits.
  template <class Work>
  auto share(std::int64_t parts, Work work) {
    const auto all_time = deadline;
    const std::uint64_t all_nodes = node_limit_;
    const auto now = Clock::now();
    if (deadline != Clock::time_point::max() && now < deadline) deadline = now + (deadline - now) / parts;
    if (all_nodes != kUnlimited && nodes_ < all_nodes) node_limit_ = nodes_ + (all_nodes - nodes_) / parts;
    next_check_ = next_look_ = 0;  // a part that is used up is noticed at once
    auto result = work();
    deadline = all_time;
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
  static constexpr std::uint64_t kInterval = 1024;  // about 0.1 ms

  void check() {
    if (nodes_ > node_limit_ || is_stopped_) throw Stopped();
    if (nodes_ >= next_look_) {
      next_look_ = nodes_ + kInterval;
      if (stop && stop->load(std::memory_order_relaxed)) throw Stopped();
      const auto now = Clock::now();
      if (now >= deadline) throw Stopped();
      if (heartbeat && now >= next_beat_) {
        next_beat_ = now + std::chrono::milliseconds(20);
        is_stopped_ = heartbeat(nodes());
        if (is_stopped_) throw Stopped();
      }
    }
    next_check_ = std::min(next_look_, node_limit_ == kUnlimited ? kUnlimited : node_limit_ + 1);
  }

  std::uint64_t node_limit_;
  bool is_stopped_ = false;  // said once: whatever is still to be done under this control ends at once
  std::uint64_t nodes_ = 0, others_ = 0, next_check_ = 0, next_look_ = kInterval;
  Clock::time_point next_beat_ = Clock::now() + std::chrono::milliseconds(20);
};

}  // namespace claimeven
