// Which positions are being searched right now, and by how many threads. A thread that has other children to
// search leaves those for later: when it comes back, their answer is most often in the shared table. (The
// idea is simplified ABDADA: J.-C. Weill, 1996, and T. Kerrigan.) It is a hint: collisions only cost time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "board/board.hpp"

namespace claimeven {

template <class Word>
class Busy {
 public:
  bool is_of_two = false;  // two threads search together, no more

  int threads_in(Word key) const {
    const std::uint64_t held = slot(key).load(std::memory_order_relaxed);
    return is_of(held, key) ? threads(held) : 0;
  }

  // Counts this thread in while it is in scope. A slot changes its position only when nobody is in it, so the
  // count is right; a second position with the same slot goes without.
  class Guard {
   public:
    Guard(Busy& busy, Word key) {
      std::atomic<std::uint64_t>& slot = busy.slot(key);
      std::uint64_t held = slot.load(std::memory_order_relaxed);
      if (!is_of(held, key) && threads(held) > 0) return;
      const std::uint64_t entered = is_of(held, key) ? held + 1 : mark(key) + 1;
      if (slot.compare_exchange_strong(held, entered, std::memory_order_relaxed)) slot_ = &slot;
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
      if (slot_) slot_->fetch_sub(1, std::memory_order_relaxed);
    }

   private:
    std::atomic<std::uint64_t>* slot_ = nullptr;
  };

 private:
  static constexpr std::size_t kSlots = 1 << 14;
  static constexpr std::uint64_t kMark = ~std::uint64_t{0} << 12;  // the rest counts threads

  static std::uint64_t mark(Word key) {
    if constexpr (sizeof(Word) > sizeof(Word64)) key ^= key >> 64;
    return (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15) & kMark;
  }
  static bool is_of(std::uint64_t held, Word key) { return (held & kMark) == mark(key); }
  static int threads(std::uint64_t held) { return static_cast<int>(held & ~kMark); }
  std::atomic<std::uint64_t>& slot(Word key) { return slots_[(mark(key) >> 40) % kSlots]; }
  const std::atomic<std::uint64_t>& slot(Word key) const { return slots_[(mark(key) >> 40) % kSlots]; }

  std::array<std::atomic<std::uint64_t>, kSlots> slots_{};
};

}  // namespace claimeven
