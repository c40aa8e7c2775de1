// A bounded table of what is known about positions. Full keys are compared: a hit is never another
// position.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "board/board.hpp"
#include "board/random.hpp"

namespace claimeven {

// Data has `is_empty()` (true when zeroed) and `worth()`: of a full bucket the least worth is replaced.
template <class Key, class Data>
class Memo {
  static constexpr int kSlots = 4;
  struct Slot {
    Key key;
    Data data;
  };
  struct alignas(64) Bucket {
    Slot slots[kSlots];
  };

 public:
  static constexpr std::size_t kEntryBytes = sizeof(Slot);

  explicit Memo(std::size_t bytes) {
    while (bits_ < 40 && (sizeof(Bucket) << (bits_ + 1)) <= bytes) ++bits_;
    // Zeroed pages come from the system untouched: a large table costs nothing until it is used.
    memory_.reset(std::calloc((std::size_t{1} << bits_) + 1, sizeof(Bucket)));
    if (!memory_) throw std::bad_alloc();
    void* start = memory_.get();
    std::size_t space = ((std::size_t{1} << bits_) + 1) * sizeof(Bucket);
    buckets_ = static_cast<Bucket*>(std::align(alignof(Bucket), sizeof(Bucket) << bits_, start, space));
  }

  std::size_t capacity() const { return std::size_t{kSlots} << bits_; }
  std::uint64_t replaced() const { return replaced_; }

  void prefetch(Key key) const { __builtin_prefetch(&bucket(key)); }

  const Data* find(Key key) const {
    const Bucket& bucket = this->bucket(key);
    for (const Slot& slot : bucket.slots) {
      if (slot.key == key && !slot.data.is_empty()) return &slot.data;
    }
    return nullptr;
  }

  // The data of this key, emptied if it was not there.
  Data& place(Key key) {
    Bucket& bucket = this->bucket(key);
    Slot* victim = nullptr;
    for (Slot& slot : bucket.slots) {
      if (slot.data.is_empty()) {
        slot.key = key;
        return slot.data;
      }
      if (slot.key == key) return slot.data;
      if (!victim || slot.data.worth() < victim->data.worth()) victim = &slot;
    }
    ++replaced_;
    *victim = {key, Data{}};
    return victim->data;
  }

 private:
  Bucket& bucket(Key key) const {
    std::uint64_t word = static_cast<std::uint64_t>(key);
    if constexpr (sizeof(Key) > 8) word ^= scrambled(static_cast<std::uint64_t>(key >> 64));
    return buckets_[(word * 0x9e3779b97f4a7c15u) >> (64 - bits_)];
  }

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  int bits_ = 1;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
  std::uint64_t replaced_ = 0;
};

}  // namespace claimeven
