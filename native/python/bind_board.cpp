#include <type_traits>
#include <variant>

#include "python/bind.hpp"

namespace claimeven {
namespace {

// The fours of one board, for Position.play: every move of every playout in Python asks it.
class Fours {
 public:
  Fours(int columns, int rows, int connect)
      : shape_(with_checked_shape(columns, rows, connect, [](auto shape) { return AnyOf(shape); })) {}

  bool complete(nb::handle stones) const {
    return std::visit(
        [&](const auto& shape) {
          using Word = typename std::remove_cvref_t<decltype(shape)>::Word;
          if constexpr (sizeof(Word) > sizeof(Word64)) {
            return has_line(shape, word_of(stones, "stones"));
          } else {
            const unsigned long long word = PyLong_AsUnsignedLongLong(stones.ptr());
            if (word == static_cast<unsigned long long>(-1) && PyErr_Occurred()) throw nb::python_error();
            return has_line(shape, static_cast<Word64>(word));
          }
        },
        shape_);
  }

 private:
  using AnyOf = std::variant<FixedShape<7, 6, 4>, AnyShape<Word64>, AnyShape<Word128>>;
  AnyOf shape_;
};

}  // namespace

void bind_board(nb::module_& module) {
  nb::class_<Fours>(module, "Fours", "The fours of one board.")
      .def(nb::init<int, int, int>(), nb::arg("columns"), nb::arg("rows"), nb::arg("connect"))
      .def("complete", &Fours::complete, nb::arg("stones"), "Whether these stones hold a complete four.");
}

}  // namespace claimeven
