// The engine as a WebAssembly module: what web/engine/engine.js calls, and nothing else.
//
// A position is a board and four words: the low and high halves of `mine` and of `mask` (the layout is drawn
// in board.py). A function returns how many numbers it has put into the answer, or -1; then there is a
// reason. Whole numbers of 64 bits are put as two halves, the high one first. Nothing is thrown across this
// door.
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "board/checked.hpp"
#include "board/limit.hpp"

#define CLAIMEVEN_WEB(name) extern "C" __attribute__((export_name(#name)))

namespace claimeven::web {

// Called now and then during long work with the nodes so far; not 0: stop.
extern "C" __attribute__((import_module("host"), import_name("beat"))) int host_beat(double nodes);

inline std::vector<double> answer;
inline std::string reason;

template <class... Numbers>
void put(Numbers... numbers) {
  (answer.push_back(static_cast<double>(numbers)), ...);
}
inline void put_whole(std::uint64_t number) { put(number >> 32, number & 0xffffffff); }

template <class Action>
int answered(Action action) {
  answer.clear();
  try {
    action();
    return static_cast<int>(answer.size());
  } catch (const std::invalid_argument& error) {
    reason = error.what();
  } catch (const std::length_error& error) {
    reason = error.what();
  } catch (const std::logic_error& error) {
    reason = error.what();
  } catch (const std::bad_alloc&) {
    reason = "there is not enough memory";
  } catch (const Stopped&) {
    reason = "stopped";
  }
  return -1;
}

struct Place {
  int columns, rows, connect;
  std::uint64_t mine_low, mine_high, mask_low, mask_high;
};

// Calls `action(shape, stones)`.
template <class Action>
void at(const Place& place, Action action) {
  const Word128 mine = static_cast<Word128>(place.mine_high) << 64 | place.mine_low;
  const Word128 mask = static_cast<Word128>(place.mask_high) << 64 | place.mask_low;
  with_checked_shape(place.columns, place.rows, place.connect,
                     [&](auto shape) { action(shape, checked_stones(shape, mine, mask)); });
}

// 0: no limit.
inline Limit limit_of(double nodes, double seconds) {
  Limit limit(nodes > 0 ? static_cast<std::uint64_t>(nodes) : Limit::kUnlimited);
  if (seconds > 0) limit.end_after(seconds);
  limit.heartbeat = [](std::uint64_t count) { return host_beat(static_cast<double>(count)) != 0; };
  return limit;
}

inline void beat() {
  if (host_beat(0) != 0) throw Stopped();
}

}  // namespace claimeven::web
