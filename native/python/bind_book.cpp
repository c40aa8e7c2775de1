#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <vector>

#include "python/bind.hpp"
#include "python/book_file.hpp"
#include "solver/bounds.hpp"

namespace claimeven {
namespace {

std::span<const std::uint64_t> keys_of(const nb::bytes& keys) {
  if (keys.size() % sizeof(std::uint64_t))
    throw std::invalid_argument("keys must be an array of 8-byte words");
  return {reinterpret_cast<const std::uint64_t*>(keys.c_str()), keys.size() / sizeof(std::uint64_t)};
}

template <class Element>
nb::bytes bytes_of(const std::vector<Element>& elements) {
  return nb::bytes(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element));
}

// Calls `action(shape)` for a board that can have a book.
template <class Action>
auto with_book_shape(int columns, int rows, int connect, Action action) {
  return with_checked_shape(columns, rows, connect, [&](auto shape) {
    if (!book::fits(shape)) throw std::invalid_argument("a board with a book has at most 64 bits");
    return action(shape);
  });
}

// Keys of the positions of one ply that belong in a book, in order.
nb::bytes book_layer(int columns, int rows, int connect, int ply) {
  if (ply < 0 || ply > book::kMaxPlies) throw std::invalid_argument("ply must be 0 to 16");
  std::vector<std::uint64_t> keys = {0};
  with_book_shape(columns, rows, connect, [&](auto shape) {
    const WithoutGil release;
    for (int i = 0; i < ply; ++i) {
      keys = next_layer(shape, std::span<const std::uint64_t>(keys));
      check_signals();
    }
    std::erase_if(keys, [&](std::uint64_t key) { return has_win_at_hand(shape, stones_of_key(shape, key)); });
  });
  return bytes_of(keys);
}

// The two words of every position, as Solver.scores takes them.
std::tuple<nb::bytes, nb::bytes> stones_of_keys(int columns, int rows, int connect, nb::bytes keys) {
  std::vector<Word64> mine, mask;
  with_book_shape(columns, rows, connect, [&](auto shape) {
    for (const std::uint64_t key : keys_of(keys)) {
      const auto stones = stones_of_key(shape, key);
      mine.push_back(static_cast<Word64>(stones.mine));
      mask.push_back(static_cast<Word64>(stones.mask));
    }
  });
  return {bytes_of(mine), bytes_of(mask)};
}

std::span<const std::int8_t> scores_of(const nb::bytes& scores) {
  return {reinterpret_cast<const std::int8_t*>(scores.c_str()), scores.size()};
}

nb::bytes back_up_layer(int columns, int rows, int connect, nb::bytes keys, nb::bytes next,
                        nb::bytes next_scores) {
  const auto from = keys_of(keys), to = keys_of(next);
  const auto scores = scores_of(next_scores);
  if (to.size() != scores.size()) throw std::invalid_argument("next_scores must be one per key of next");
  std::vector<std::int8_t> best;
  with_book_shape(columns, rows, connect, [&](auto shape) {
    const WithoutGil release;
    best = back_up(shape, from, to, scores);
  });
  return bytes_of(best);
}

// The book file for the scores of its deepest layer: all shallower positions follow by taking the best child.
nb::bytes make_book_file(int columns, int rows, int connect, int plies, nb::bytes scores) {
  if (plies < 0 || plies > book::kMaxPlies) throw std::invalid_argument("plies must be 0 to 16");
  const auto deepest = scores_of(scores);
  std::vector<std::uint8_t> file;
  with_book_shape(columns, rows, connect, [&](auto shape) {
    const WithoutGil release;
    file = assemble_book(shape, plies, deepest, check_signals);
  });
  return bytes_of(file);
}

nb::bytes book_scores(const BookFile& file, nb::bytes keys) {
  std::string scores;
  for (const std::uint64_t key : keys_of(keys)) {
    const auto score = file.book().score(key);
    scores.push_back(static_cast<char>(score.value_or(kNoBound)));
  }
  return nb::bytes(scores.data(), scores.size());
}

}  // namespace

void bind_book(nb::module_& module) {
  nb::class_<BookFile>(module, "Book", "An opening book of one board, mapped from a file.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("version", [](const BookFile& file) { return file.book().version(); })
      .def_prop_ro("columns", [](const BookFile& file) { return file.book().columns(); })
      .def_prop_ro("rows", [](const BookFile& file) { return file.book().rows(); })
      .def_prop_ro("connect", [](const BookFile& file) { return file.book().connect(); })
      .def_prop_ro("plies", [](const BookFile& file) { return file.book().plies(); })
      .def_prop_ro("positions", [](const BookFile& file) { return file.book().positions(); })
      .def_prop_ro("size", &BookFile::size)
      .def("is_intact", [](const BookFile& file) { return file.book().is_intact(); })
      .def("scores", &book_scores, nb::arg("keys"),
           "One signed byte per canonical key of the book; 127 where the book leaves the score out.");
  module.def("book_layer", &book_layer, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("ply"), "Canonical keys, 8 bytes each, of the positions of this ply that a book holds.");
  module.def("stones_of_keys", &stones_of_keys, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("keys"), "(mine, mask) of positions, as arrays of 8-byte words.");
  module.def("back_up", &back_up_layer, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("keys"), nb::arg("next"), nb::arg("next_scores"),
             "The scores of positions from those of book_layer of the next ply.");
  module.def("make_book", &make_book_file, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
             nb::arg("plies"), nb::arg("scores"),
             "The bytes of a book, from the scores of the book_layer of its deepest ply.");
}

}  // namespace claimeven
