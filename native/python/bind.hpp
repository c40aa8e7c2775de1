// What every binding file needs: positions and limits from Python, and Ctrl-C during long calls.
// Python hands a position over as (columns, rows, connect, mine, mask).
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "board/checked.hpp"
#include "board/limit.hpp"
#include "python/gil.hpp"

namespace claimeven {

namespace nb = nanobind;

// A Python integer of up to 128 bits.
inline Word128 word_of(nb::handle number, const char* name) {
  if (!nb::isinstance<nb::int_>(number))
    throw std::invalid_argument(std::string(name) + " must be an integer");
  unsigned char bytes[16];
#if PY_VERSION_HEX >= 0x030d0000
  constexpr int kFlags =
      Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER | Py_ASNATIVEBYTES_REJECT_NEGATIVE;
  const Py_ssize_t needed = PyLong_AsNativeBytes(number.ptr(), bytes, sizeof bytes, kFlags);
  const bool is_read = needed >= 0 && needed <= static_cast<Py_ssize_t>(sizeof bytes);
#else  // no public function yet
  auto* pylong = reinterpret_cast<PyLongObject*>(number.ptr());
  const bool is_read = _PyLong_AsByteArray(pylong, bytes, sizeof bytes, 1, 0) == 0;
#endif
  if (!is_read) {
    PyErr_Clear();
    throw std::invalid_argument(std::string(name) + " must have 0 to 128 bits");
  }
  Word128 word = 0;
  for (int i = 15; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

// Calls `action(shape, stones)` for a position as Python hands it over.
template <class Action>
auto with_position(int columns, int rows, int connect, nb::handle mine, nb::handle mask, Action&& action) {
  const Word128 mine_word = word_of(mine, "mine"), mask_word = word_of(mask, "mask");
  return with_checked_shape(columns, rows, connect, [&](auto shape) {
    return action(shape, checked_stones(shape, mine_word, mask_word));
  });
}

// Lets Ctrl-C through during a long native call that has released the GIL.
inline void check_signals() {
  const WithGil acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// `stop` is None or has `is_set()`, like threading.Event; `progress` is None or takes the nodes so far. Both
// must outlive the limit.
inline Limit limit_of(std::optional<std::uint64_t> nodes, std::optional<double> seconds, nb::handle stop,
                      nb::handle progress = nb::none()) {
  Limit limit(nodes.value_or(Limit::kUnlimited));
  if (seconds && !(*seconds > 0)) throw std::invalid_argument("seconds must be more than 0");
  if (seconds) limit.end_after(*seconds);
  limit.heartbeat = [stop, progress](std::uint64_t count) {
    const WithGil acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(count);
    return !stop.is_none() && nb::cast<bool>(stop.attr("is_set")());
  };
  return limit;
}

// One function per binding file.
void bind_agents(nb::module_& module);
void bind_board(nb::module_& module);
void bind_book(nb::module_& module);
void bind_count(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_learn(nb::module_& module);
void bind_network(nb::module_& module);
void bind_ntuple(nb::module_& module);
void bind_solver(nb::module_& module);

}  // namespace claimeven
