#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <type_traits>
#include <variant>

#include "plan/threats.hpp"
#include "python/bind.hpp"

namespace claimeven {
namespace {

nb::object number_of(Word64 word) { return nb::steal(PyLong_FromUnsignedLongLong(word)); }
nb::object number_of(Word128 word) {
  const nb::object low = number_of(static_cast<Word64>(word)),
                   high = number_of(static_cast<Word64>(word >> 64));
  return (high << nb::int_(64)) | low;
}

template <class Word>
Word stones_of(nb::handle number) {
  if constexpr (sizeof(Word) > sizeof(Word64)) {
    return word_of(number, "stones");
  } else {
    const unsigned long long word = PyLong_AsUnsignedLongLong(number.ptr());
    if (word == static_cast<unsigned long long>(-1) && PyErr_Occurred()) throw nb::python_error();
    return word;
  }
}

// A field of the class Position, which is frozen: what Python itself calls to read and write a slot.
class Slot {
 public:
  Slot() = default;
  Slot(nb::handle kind, const char* name)
      : descriptor_(kind.attr(name)),
        get_(reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(descriptor_.ptr()), Py_tp_descr_get))),
        set_(reinterpret_cast<descrsetfunc>(PyType_GetSlot(Py_TYPE(descriptor_.ptr()), Py_tp_descr_set))) {}

  // The class that declares it: that of `kind` or one above.
  nb::object owner() const { return descriptor_.attr("__objclass__"); }

  nb::object of(nb::handle position) const {
    PyObject* value = get_(descriptor_.ptr(), position.ptr(), nullptr);
    if (value == nullptr) throw nb::python_error();
    return nb::steal(value);
  }
  void put(nb::handle position, nb::handle value) const {
    if (set_(descriptor_.ptr(), position.ptr(), value.ptr()) != 0) throw nb::python_error();
  }

 private:
  nb::object descriptor_;
  descrgetfunc get_ = nullptr;
  descrsetfunc set_ = nullptr;
};

// The moves of one board, for Position.play and whoever asks for fours: every playout in Python does.
class Moves {
 public:
  // `digits` name the columns; `open_columns` has the columns with room left, by the full ones.
  Moves(int columns, int rows, int connect, const std::string& digits, nb::object open_columns)
      : shape_(with_checked_shape(columns, rows, connect,
                                  [](auto shape) { return OfAnyShape<std::type_identity_t>(shape); })),
        open_columns_(std::move(open_columns)) {
    for (int column = 0; column < columns; ++column) {
      digits_[column] = nb::str(digits.data() + column, 1);
    }
  }

  bool is_four(nb::handle stones) const {
    return std::visit(
        [&](const auto& shape) {
          using Word = typename std::remove_cvref_t<decltype(shape)>::Word;
          return has_four(shape, stones_of<Word>(stones));
        },
        shape_);
  }

  nb::object winning_cells_of(nb::handle stones, nb::handle mask) const {
    return std::visit(
        [&](const auto& shape) {
          using Word = typename std::remove_cvref_t<decltype(shape)>::Word;
          return number_of(winning_cells<true>(shape, stones_of<Word>(stones), stones_of<Word>(mask)));
        },
        shape_);
  }

  // The next position; None where there is none, and Python says why.
  nb::object play(nb::handle position, nb::handle wanted) {
    if (Py_TYPE(position.ptr()) != reinterpret_cast<PyTypeObject*>(kind_.ptr())) learn(position);
    const nb::object legal = legal_.of(position);
    const int column = column_of_number(wanted);
    if (column < 0 || PyTuple_Size(legal.ptr()) == 0)
      return nb::none();  // no such column, or the game is over
    return std::visit([&](const auto& shape) { return played(shape, position, column, legal); }, shape_);
  }

 private:
  OfAnyShape<std::type_identity_t> shape_;
  nb::object open_columns_;
  std::array<nb::object, kMaxColumns> digits_;
  nb::object kind_;  // of the position that was played last
  nb::object owner_;
  Slot board_, mine_, mask_, moves_, winner_, is_over_, legal_;

  void learn(nb::handle position) {
    kind_ = nb::borrow(position.type());
    board_ = {kind_, "board"};
    mine_ = {kind_, "mine"};
    mask_ = {kind_, "mask"};
    moves_ = {kind_, "moves"};
    winner_ = {kind_, "winner"};
    is_over_ = {kind_, "is_over"};
    legal_ = {kind_, "legal"};
    owner_ = mine_.owner();
  }

  // Whatever counts, as numpy's integers do; -1 for what is no column.
  int column_of_number(nb::handle wanted) const {
    nb::object counted;
    if (!PyLong_CheckExact(wanted.ptr())) {
      counted = nb::steal(PyNumber_Index(wanted.ptr()));
      if (!counted.is_valid() && !PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
      if (!counted.is_valid()) PyErr_Clear();
      if (!counted.is_valid()) return -1;
      wanted = counted;
    }
    int overflow = 0;
    const long column = PyLong_AsLongAndOverflow(wanted.ptr(), &overflow);
    const int columns = std::visit([](const auto& shape) { return int{shape.columns}; }, shape_);
    return overflow == 0 && column >= 0 && column < columns ? static_cast<int>(column) : -1;
  }

  template <class Shape>
  nb::object played(const Shape& shape, nb::handle position, int column, const nb::object& legal) const {
    using Word = typename Shape::Word;
    const Stones<Shape> stones{stones_of<Word>(mine_.of(position)), stones_of<Word>(mask_.of(position))};
    const Word landing = landing_cells(shape, stones.mask) & column_cells(shape, column);
    if (landing == 0) return nb::none();
    const Stones<Shape> next = stones.play(landing);

    auto* type = reinterpret_cast<PyTypeObject*>(owner_.ptr());
    const nb::object after = nb::steal(PyType_GenericAlloc(type, 0));
    if (!after.is_valid()) throw nb::python_error();
    board_.put(after, board_.of(position));
    mine_.put(after, number_of(next.mine));
    mask_.put(after, number_of(next.mask));
    const nb::object moves = moves_.of(position);
    moves_.put(after,
               moves.is_none() ? moves : nb::steal(PyUnicode_Concat(moves.ptr(), digits_[column].ptr())));
    const bool is_won = next.is_won(shape);
    nb::object open = legal;
    if (is_won) {
      open = nb::steal(PyTuple_New(0));
    } else if (const Word top = shape.bottom << (shape.rows - 1); landing & top) {  // the column is full now
      open = open_columns_[number_of(next.mask & top)];
    }
    winner_.put(after, is_won ? nb::steal(PyLong_FromLong(stones.ply() % 2)) : nb::none());
    is_over_.put(after, nb::bool_(PyTuple_Size(open.ptr()) == 0));
    legal_.put(after, open);
    return after;
  }
};

nb::typed<nb::list, nb::int_> threats(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask,
                                      int discs) {
  return with_position(columns, rows, connect, mine, mask, [&](const auto& shape, const auto& stones) {
    nb::typed<nb::list, nb::int_> found;
    for (const auto cell : shortest_threats(shape, stones.mine, stones.theirs(), discs))
      found.append(number_of(cell));
    return found;
  });
}

}  // namespace

void bind_board(nb::module_& module) {
  module.def(
      "threats", &threats, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"), nb::arg("mine"),
      nb::arg("mask"), nb::arg("discs"),
      "The shortest win by threats alone with so many discs of the side to move (native/plan/threats.hpp).");
  nb::class_<Moves>(module, "Moves", "The moves of one board.")
      .def(nb::init<int, int, int, const std::string&, nb::object>(), nb::arg("columns"), nb::arg("rows"),
           nb::arg("connect"), nb::arg("digits"), nb::arg("open_columns"))
      .def("is_four", &Moves::is_four, nb::arg("stones"), "Whether these stones hold a complete four.")
      .def("winning_cells", &Moves::winning_cells_of, nb::arg("stones"), nb::arg("mask"),
           nb::sig("def winning_cells(self, stones: int, mask: int) -> int"),
           "The empty cells that complete a four of `stones`, reachable or not; stones may float.")
      .def("play", &Moves::play, nb::arg("position"), nb::arg("column").none(),
           "The position after a disc in this column; None if that is no move.");
}

}  // namespace claimeven
