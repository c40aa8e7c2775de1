// The transposition table: key -> bounds on the score, and the best move.
//
// It starts small, so that easy positions stay in the cache of the processor, and grows with the search up
// to a limit; while threads share it, it asks them to stop for that. It is never cleared: an entry carries
// the generation in which it was written, and `clear` just starts a new one. Threads share it without locks:
// either an entry is one 64-bit word, or a check shows that its words belong together.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "board/system.hpp"
#include "solver/lanes.hpp"

namespace claimeven {

// What is known of a position, for the side to move.
struct Known {
  int lower, upper;
  int move;  // a column, or kNoMove
};
inline constexpr int kNoMove = 63;

// Words that several threads read and write: never torn, in no particular order.
template <class Word>
inline Word relaxed_load(const Word& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}
template <class Word>
inline void relaxed_store(Word& word, Word value) {
  __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}

// An entry for keys of at most 49 bits, scores of at most 6 bits and fewer than 8 columns, in one word:
//
//   63 ........ 27 | 26 .... 19 | 18 .. 15 | 14 .. 9 | 8 ... 3 | 2 .. 0
//   rest of key 37   generation     work      lower     upper     move
//
// The upper bits of the mixed key are the number of the bucket; mixing is a bijection, so that bucket and
// rest together are the key, and no two positions are ever confused.
struct PackedEntry {
  static constexpr int kSlots = 8;
  static constexpr int kKeyBits = 49;
  static constexpr std::uint64_t kMaxGeneration = 255;
  static constexpr int kMaxWork = 15;
  struct Bucket {
    alignas(64) std::uint64_t slot[kSlots];
  };

  static Word64 mixed(Word64 key) { return (key * 0x1b2e8a7f3c6d5) & ((Word64{1} << kKeyBits) - 1); }
  static std::size_t bucket(Word64 mix, int log) { return mix >> (kKeyBits - log); }
  static std::uint64_t wanted(Word64 mix, int log, std::uint64_t generation) {
    const Word64 rest = mix & ((Word64{1} << (kKeyBits - log)) - 1);
    return rest << 27 | generation << 19;
  }

  static int find(const Bucket& bucket, std::uint64_t wanted) {
#if defined(__SANITIZE_THREAD__)
    for (int i = 0; i < kSlots; ++i) {
      if ((relaxed_load(bucket.slot[i]) ^ wanted) >> 19 == 0) return i;
    }
    return -1;
#else
    // Eight aligned words: each is read whole, whatever the width of the load.
    const Lanes64 entries = *reinterpret_cast<const Lanes64*>(bucket.slot);
    const unsigned hits = zero_lanes(Lanes64((entries ^ wanted) >> 19));
    return hits ? std::countr_zero(hits) : -1;
#endif
  }

  static bool read(const Bucket& bucket, Word64 mix, int log, std::uint64_t generation, Known& known) {
    const std::uint64_t key = wanted(mix, log, generation);
    const int i = find(bucket, key);
    if (i < 0) return false;
    const std::uint64_t entry = relaxed_load(bucket.slot[i]);
    if ((entry ^ key) >> 19 != 0) return false;  // another thread replaced it meanwhile
    known.lower = static_cast<int>(entry >> 9 & 63) - 32;
    known.upper = static_cast<int>(entry >> 3 & 63) - 32;
    known.move = (entry & 7) == 7 ? kNoMove : static_cast<int>(entry & 7);
    return true;
  }

  // Returns whether a free slot was taken.
  static bool write(Bucket& bucket, Word64 mix, int log, std::uint64_t generation, const Known& known,
                    int work) {
    const std::uint64_t key = wanted(mix, log, generation);
    const std::uint64_t entry =
        key | static_cast<std::uint64_t>(work) << 15 | static_cast<std::uint64_t>(known.lower + 32) << 9 |
        static_cast<std::uint64_t>(known.upper + 32) << 3 | static_cast<std::uint64_t>(known.move & 7);
    int victim = find(bucket, key), least = 0;
    if (victim < 0) {
      least = kMaxWork + 2;
      for (int i = 0; i < kSlots; ++i) {
        const std::uint64_t old = relaxed_load(bucket.slot[i]);
        const int value =
            (old >> 19 & kMaxGeneration) == generation ? static_cast<int>(old >> 15 & 15) + 1 : 0;
        if (value < least) least = value, victim = i;
      }
      relaxed_store(bucket.slot[victim], entry);
      return least == 0;
    }
    relaxed_store(bucket.slot[victim], entry);
    return false;
  }

  // What an entry was worth counts for less. Only for entries of one word: were there more, two threads that
  // did this to one at once could leave words that do not belong together.
  static void age(Bucket& bucket, int i) {
    const std::uint64_t old = relaxed_load(bucket.slot[i]);
    if (old >> 15 & 15) relaxed_store(bucket.slot[i], old - (std::uint64_t{1} << 15));
  }

  // Calls action(mix, known, work) for every entry of this generation.
  template <class Action>
  static void each(const Bucket& bucket, std::size_t number, int log, std::uint64_t generation,
                   Action action) {
    for (const std::uint64_t entry : bucket.slot) {
      if ((entry >> 19 & kMaxGeneration) != generation) continue;
      const Word64 mix = static_cast<Word64>(number) << (kKeyBits - log) | entry >> 27;
      const int move = (entry & 7) == 7 ? kNoMove : static_cast<int>(entry & 7);
      action(mix, Known{static_cast<int>(entry >> 9 & 63) - 32, static_cast<int>(entry >> 3 & 63) - 32, move},
             static_cast<int>(entry >> 15 & 15));
    }
  }
};

// An entry for any key of 64 bits: the key, xored with the data so that words of two different writes do not
// match.
//
//   data: 63 .. 32 generation | 31 .. 24 work | 23 .. 16 lower | 15 .. 8 upper | 7 .. 0 move
struct CheckedEntry {
  static constexpr int kSlots = 4;
  static constexpr std::uint64_t kMaxGeneration = 0xffffffff;
  static constexpr int kMaxWork = 255;
  struct Slot {
    std::uint64_t check, data;
  };
  struct Bucket {
    alignas(64) Slot slot[kSlots];
  };

  // Bijective, so that equal mixes mean equal keys.
  static Word64 mixed(Word64 key) {
    key *= 0x9e3779b97f4a7c15;
    return key ^ key >> 29;
  }
  static std::size_t bucket(Word64 mix, int log) { return mix >> (64 - log); }

  static bool matches(const Slot& slot, Word64 mix, std::uint64_t data, std::uint64_t generation) {
    return data >> 32 == generation && (relaxed_load(slot.check) ^ data) == mix;
  }

  static Known known_of(std::uint64_t data) {
    return {static_cast<std::int8_t>(data >> 16), static_cast<std::int8_t>(data >> 8),
            static_cast<int>(data & 255)};
  }

  // Which slots may hold the key, bit 2i for slot i. Without a branch for each: what is found where is beyond
  // the processor's guessing, and wrong guesses cost up to 40 % of the time.
  static unsigned likely(const Bucket& bucket, Word64 mix) {
#if defined(__AVX2__) && !defined(__SANITIZE_THREAD__)
    return equal_pairs(*reinterpret_cast<const Lanes64*>(&bucket), mix);
#else
    unsigned found = 0;
#pragma GCC unroll 4
    for (int i = 0; i < kSlots; ++i) {
      const std::uint64_t check = relaxed_load(bucket.slot[i].check) ^ relaxed_load(bucket.slot[i].data);
      found |= static_cast<unsigned>(check == mix) << (2 * i);
    }
    return found;
#endif
  }

  static bool read(const Bucket& bucket, Word64 mix, int, std::uint64_t generation, Known& known) {
    for (unsigned left = likely(bucket, mix); left; left &= left - 1) {
      const Slot& slot = bucket.slot[std::countr_zero(left) / 2];
      const std::uint64_t data = relaxed_load(slot.data);
      if (!matches(slot, mix, data, generation)) continue;
      known = known_of(data);
      return true;
    }
    return false;
  }

  static bool write(Bucket& bucket, Word64 mix, int, std::uint64_t generation, const Known& known, int work) {
    const std::uint64_t data = generation << 32 | static_cast<std::uint64_t>(work) << 24 |
                               static_cast<std::uint64_t>(static_cast<std::uint8_t>(known.lower)) << 16 |
                               static_cast<std::uint64_t>(static_cast<std::uint8_t>(known.upper)) << 8 |
                               static_cast<std::uint64_t>(known.move);
    Slot* victim = &bucket.slot[0];
    int least = kMaxWork + 2;
    bool is_known = false;
    for (Slot& slot : bucket.slot) {
      const std::uint64_t old = relaxed_load(slot.data);
      if (matches(slot, mix, old, generation)) {
        victim = &slot;
        is_known = true;
        break;
      }
      const int value = old >> 32 == generation ? static_cast<int>(old >> 24 & 255) + 1 : 0;
      if (value < least) least = value, victim = &slot;
    }
    relaxed_store(victim->check, mix ^ data);
    relaxed_store(victim->data, data);
    return !is_known && least == 0;
  }

  template <class Action>
  static void each(const Bucket& bucket, std::size_t, int, std::uint64_t generation, Action action) {
    for (const Slot& slot : bucket.slot) {
      if (slot.data >> 32 != generation) continue;
      action(slot.check ^ slot.data, known_of(slot.data), static_cast<int>(slot.data >> 24 & 255));
    }
  }
};

// An entry for any key of 128 bits: three fill a line of the cache, and no more than one line is touched.
// Both halves of the key are xored with the data, as above.
//
//   data: 31 .. 24 generation | 23 .. 20 work | 19 .. 13 lower | 12 .. 6 upper | 5 .. 0 move
struct WideEntry {
  static constexpr int kSlots = 3;
  static constexpr std::uint64_t kMaxGeneration = 255;
  static constexpr int kMaxWork = 15;
  struct Bucket {
    alignas(64) std::uint64_t low[kSlots];
    std::uint64_t high[kSlots];
    std::uint32_t data[kSlots + 1];  // the last is never used
  };
  static_assert(sizeof(Bucket) == 64);

  // Bijective, so that equal mixes mean equal keys.
  static Word128 mixed(Word128 key) {
    const auto low = static_cast<Word64>(key) * 0x9e3779b97f4a7c15;
    const auto high = (static_cast<Word64>(key >> 64) + (low ^ low >> 29)) * 0xbf58476d1ce4e5b9;
    return static_cast<Word128>(high) << 64 | (low ^ high >> 32);
  }
  static std::size_t bucket(Word128 mix, int log) {
    return static_cast<std::size_t>(static_cast<Word64>(mix >> 64) >> (64 - log));
  }

  static bool matches(const Bucket& bucket, int i, Word128 mix, std::uint32_t data,
                      std::uint64_t generation) {
    return data >> 24 == generation && (relaxed_load(bucket.low[i]) ^ data) == static_cast<Word64>(mix) &&
           (relaxed_load(bucket.high[i]) ^ data) == static_cast<Word64>(mix >> 64);
  }

  static Known known_of(std::uint32_t data) {
    return {static_cast<int>(data >> 13 & 127) - 64, static_cast<int>(data >> 6 & 127) - 64,
            static_cast<int>(data & 63)};
  }

  // Which slots may hold the key, bit i for slot i; without a branch for each, as above.
  static unsigned likely(const Bucket& bucket, Word128 mix) {
    const auto wanted = static_cast<Word64>(mix);
#if defined(__AVX2__) && !defined(__SANITIZE_THREAD__)
    const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket.low));
    const __m256i data = _mm256_cvtepu32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(bucket.data)));
    const __m256i equal =
        _mm256_cmpeq_epi64(_mm256_xor_si256(low, data), _mm256_set1_epi64x(static_cast<long long>(wanted)));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) & 7;
#else
    unsigned found = 0;
#pragma GCC unroll 4
    for (int i = 0; i < kSlots; ++i) {
      const std::uint64_t check = relaxed_load(bucket.low[i]) ^ relaxed_load(bucket.data[i]);
      found |= static_cast<unsigned>(check == wanted) << i;
    }
    return found;
#endif
  }

  static bool read(const Bucket& bucket, Word128 mix, int, std::uint64_t generation, Known& known) {
    for (unsigned left = likely(bucket, mix); left; left &= left - 1) {
      const int i = std::countr_zero(left);
      const std::uint32_t data = relaxed_load(bucket.data[i]);
      if (!matches(bucket, i, mix, data, generation)) continue;
      known = known_of(data);
      return true;
    }
    return false;
  }

  static bool write(Bucket& bucket, Word128 mix, int, std::uint64_t generation, const Known& known,
                    int work) {
    const auto data = static_cast<std::uint32_t>(generation << 24 | static_cast<std::uint64_t>(work) << 20 |
                                                 static_cast<std::uint64_t>((known.lower + 64) & 127) << 13 |
                                                 static_cast<std::uint64_t>((known.upper + 64) & 127) << 6 |
                                                 static_cast<std::uint64_t>(known.move));
    int victim = 0, least = kMaxWork + 2;
    bool is_known = false;
    for (int i = 0; i < kSlots; ++i) {
      const std::uint32_t old = relaxed_load(bucket.data[i]);
      if (matches(bucket, i, mix, old, generation)) {
        victim = i;
        is_known = true;
        break;
      }
      const int value = old >> 24 == generation ? static_cast<int>(old >> 20 & 15) + 1 : 0;
      if (value < least) least = value, victim = i;
    }
    relaxed_store(bucket.low[victim], static_cast<Word64>(mix) ^ data);
    relaxed_store(bucket.high[victim], static_cast<Word64>(mix >> 64) ^ data);
    relaxed_store(bucket.data[victim], data);
    return !is_known && least == 0;
  }

  template <class Action>
  static void each(const Bucket& bucket, std::size_t, int, std::uint64_t generation, Action action) {
    for (int i = 0; i < kSlots; ++i) {
      const std::uint32_t data = bucket.data[i];
      if (data >> 24 != generation) continue;
      const Word128 mix = static_cast<Word128>(bucket.high[i] ^ data) << 64 | (bucket.low[i] ^ data);
      action(mix, known_of(data), static_cast<int>(data >> 20 & 15));
    }
  }
};

template <class Entry, class Key>
class Table {
 public:
  using Bucket = typename Entry::Bucket;

  // Where entries of one word age, each that is written takes a little of the worth of one beside it: else
  // those that took much work once stay for good, and in a full table the new ones replace each other.
  explicit Table(std::size_t bytes, bool ages = false) : ages_(ages) {
    while (largest_ < kLargest && (sizeof(Bucket) << (largest_ + 1)) <= bytes) ++largest_;
    use(kSmallest);
  }

  // Forget everything, at once.
  void clear() {
    if (++generation_ > Entry::kMaxGeneration) {
      for (const Pages& pages : sizes_) {
        if (pages.data()) std::memset(pages.data(), 0, pages.size());
      }
      generation_ = 1;
    }
    use(kSmallest);
  }

  bool read(Key key, Known& known) const { return read_mixed(Entry::mixed(key), known); }

  // For who asks in two steps: the key as it is stored, which is mixed once.
  Key prefetch(Key key) const {
    const Key mix = Entry::mixed(key);
    __builtin_prefetch(&buckets_[Entry::bucket(mix, log_)]);
    return mix;
  }
  bool read_mixed(Key mix, Known& known) const {
    return Entry::read(buckets_[Entry::bucket(mix, log_)], mix, log_, generation_, known);
  }

  // `nodes` is what it took to know this: entries that were cheap are replaced first.
  void write(Key key, const Known& known, std::uint64_t nodes) {
    put(Entry::mixed(key), known, std::min(Entry::kMaxWork, (64 - std::countl_zero(nodes)) / 2));
  }

  // An entry as `each` gives it.
  void put(Key mix, const Known& known, int work) {
    const std::size_t number = Entry::bucket(mix, log_);
    if (!Entry::write(buckets_[number], mix, log_, generation_, known, work)) {
      if constexpr (std::is_same_v<Entry, PackedEntry>) {
        if (ages_) Entry::age(buckets_[number], static_cast<int>(mix % Entry::kSlots));
      }
      return;
    }
    if (log_ == largest_) return;
    if (stop_) {
      count_shared(number);
    } else if (++written_ > growth_limit_) {
      grow(log_ + kGrowth);
    }
  }

  // Calls action(mix, known, work) for every entry.
  template <class Action>
  void each(Action action) const {
    for (std::size_t number = 0; number < std::size_t{1} << log_; ++number) {
      Entry::each(buckets_[number], number, log_, generation_, action);
    }
  }

  // Room for so many entries, where the memory allows it. Whoever puts them in the order of another table
  // must ask for it: a small table would fill up bucket by bucket, and lose most of them before it grows.
  void reserve(std::uint64_t entries) {
    int log = log_;
    while (log < largest_ && (std::uint64_t{Entry::kSlots} << log) * 3 / 8 < entries) ++log;
    if (log > log_) grow(log);
  }

  // Take the whole memory at once.
  void grow_fully() {
    if (log_ < largest_) grow(largest_);
  }

  // Threads are about to share it, or none any more. Growing is for one: where it should, it says `stop`.
  void share(std::atomic<bool>* stop) { stop_ = stop; }
  bool is_full() const { return log_ < largest_ && written_ > growth_limit_; }
  void grow_on(int threads) { grow(log_ + kGrowth, threads); }

 private:
  static constexpr int kSmallest = 12;  // log2 of the number of buckets: 256 KiB for packed entries
  static constexpr int kLargest = 34;
  static constexpr int kGrowth = 2;
  static constexpr std::size_t kSample = 64;

  // One bucket of many stands for the others: threads that all count are in each other's way.
  void count_shared(std::size_t number) {
    if (number % kSample != 0) return;
    const std::size_t written = __atomic_add_fetch(&written_, kSample, __ATOMIC_RELAXED);
    if (written > growth_limit_) stop_->store(true, std::memory_order_relaxed);
  }

  void use(int log) {
    if (!sizes_[log].data()) sizes_[log] = Pages(sizeof(Bucket) << log);
    buckets_ = static_cast<Bucket*>(sizes_[log].data());
    log_ = log;
    growth_limit_ = (std::size_t{Entry::kSlots} << log) * 5 / 8;
    written_ = 0;
  }

  void grow(int log, int threads = 1) {
    const Bucket* old = buckets_;
    const int old_log = log_;
    use(std::min(log, largest_));
    // The upper bits of a key are its bucket, so parts of the old table become parts of the new one; and who
    // writes first to new pages has them cleared by the system, which takes longer than the rest.
    std::atomic<std::size_t> written{0};
    const auto copy = [&](std::size_t part) {
      const std::size_t buckets = std::size_t{1} << old_log, parts = static_cast<std::size_t>(threads);
      std::size_t count = 0;
      for (std::size_t number = buckets * part / parts; number < buckets * (part + 1) / parts; ++number) {
        Entry::each(old[number], number, old_log, generation_, [&](Key mix, const Known& known, int work) {
          count += Entry::write(buckets_[Entry::bucket(mix, log_)], mix, log_, generation_, known, work);
        });
      }
      written += count;
    };
    std::atomic<bool> is_over{false};
    Helpers helpers(is_over);
    for (int part = 1; part < threads; ++part) {
      helpers.start([&copy, part] { copy(static_cast<std::size_t>(part)); });
    }
    copy(0);
    helpers.end();
    written_ = written;
    if (log_ == largest_) {  // the limit on memory counts: give the sizes in between back
      for (int between = kSmallest + 1; between < largest_; ++between) sizes_[between] = Pages();
    }
  }

  std::array<Pages, kLargest + 1> sizes_;  // kept when the table starts anew: fresh pages cost time
  Bucket* buckets_ = nullptr;
  int log_ = 0, largest_ = kSmallest;
  std::size_t growth_limit_ = 0, written_ = 0;
  std::uint64_t generation_ = 1;
  const bool ages_;
  std::atomic<bool>* stop_ = nullptr;  // of the threads that share it
};

}  // namespace claimeven
