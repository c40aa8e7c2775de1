// Which positions are being searched right now, by any thread. A thread that has other children to search
// leaves those for later: when it comes back, their answer is most often in the shared table. (The idea is
// simplified ABDADA: J.-C. Weill, 1996, and T. Kerrigan.) It is a hint: collisions and races only cost time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "board/board.hpp"

namespace claimeven {

template <class Word>
class Busy {
 public:
  bool contains(Word key) const { return slot(key).load(std::memory_order_relaxed) == mark(key); }

  // Marks a position while it is in scope.
  class Guard {
   public:
    Guard(Busy* busy, Word key) : slot_(busy ? &busy->slot(key) : nullptr) {
      if (slot_) slot_->store(mark(key), std::memory_order_relaxed);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
      if (slot_) slot_->store(0, std::memory_order_relaxed);
    }

   private:
    std::atomic<std::uint64_t>* slot_;
  };

 private:
  static constexpr std::size_t kSlots = 1 << 14;

  static std::uint64_t mark(Word key) {
    if constexpr (sizeof(Word) > sizeof(Word64)) key ^= key >> 64;
    return (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15) | 1;
  }
  std::atomic<std::uint64_t>& slot(Word key) { return slots_[(mark(key) >> 40) % kSlots]; }
  const std::atomic<std::uint64_t>& slot(Word key) const { return slots_[(mark(key) >> 40) % kSlots]; }

  std::array<std::atomic<std::uint64_t>, kSlots> slots_{};
};

}  // namespace claimeven
