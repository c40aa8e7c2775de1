// What every binding file needs: checks of what comes from Python, and Ctrl-C during long calls.
// Python hands a position over as (columns, rows, connect, mine, mask).
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "board/board.hpp"
#include "python/gil.hpp"

namespace claimeven {

namespace nb = nanobind;

inline constexpr int kBits = 128;

inline void check_board(int columns, int rows, int connect) {
  if (columns < 1 || rows < 1 || connect < 1)
    throw std::invalid_argument("board: every size must be at least 1");
  if (columns > kMaxColumns) throw std::invalid_argument("board: at most 35 columns");
  if (rows >= kBits || columns * (rows + 1) > kBits) {
    throw std::invalid_argument("board: columns x (rows + 1) must be at most 128");
  }
}

// A Python integer of up to 128 bits.
inline Word128 word_of(nb::handle number, const char* name) {
  if (!nb::isinstance<nb::int_>(number))
    throw std::invalid_argument(std::string(name) + " must be an integer");
  unsigned char bytes[16];
  auto* pylong = reinterpret_cast<PyLongObject*>(number.ptr());
#if PY_VERSION_HEX >= 0x030d0000
  const int failed = _PyLong_AsByteArray(pylong, bytes, sizeof bytes, 1, 0, 1);
#else
  const int failed = _PyLong_AsByteArray(pylong, bytes, sizeof bytes, 1, 0);
#endif
  if (failed != 0) {
    PyErr_Clear();
    throw std::invalid_argument(std::string(name) + " must have 0 to 128 bits");
  }
  Word128 word = 0;
  for (int i = 15; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

template <class Shape>
Stones<Shape> checked_stones(const Shape& shape, Word128 mine, Word128 mask) {
  using Word = typename Shape::Word;
  if (mask & ~static_cast<Word128>(shape.full))
    throw std::invalid_argument("mask: a stone lies outside the board");
  if (mine & ~mask) throw std::invalid_argument("mine: a stone is missing in mask");
  const Word stones = static_cast<Word>(mask);
  if (stones & ~(stones << 1 | shape.bottom)) throw std::invalid_argument("mask: a stone floats");
  return {static_cast<Word>(mine), stones};
}

// Checks the board, then calls `action(shape)` with its fastest shape. A connect beyond both sides is a
// certain draw, however long: it is cut to one more than the longer side.
template <class Action>
auto with_checked_shape(int columns, int rows, int connect, Action&& action) {
  check_board(columns, rows, connect);
  return with_shape(columns, rows, std::min(connect, std::max(columns, rows) + 1), action);
}

// Lets Ctrl-C through during a long native call that has released the GIL.
inline void check_signals() {
  const WithGil acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// One function per binding file.
void bind_agents(nb::module_& module);
void bind_board(nb::module_& module);
void bind_count(nb::module_& module);
void bind_learn(nb::module_& module);
void bind_solver(nb::module_& module);

}  // namespace claimeven
