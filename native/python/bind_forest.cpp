#include <nanobind/stl/pair.h>

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents/forest.hpp"
#include "python/bind.hpp"

namespace claimeven {
namespace {

template <class Number>
std::span<const Number> numbers_of(const nb::bytes& bytes, std::size_t count, const char* name) {
  if (bytes.size() != count * sizeof(Number)) {
    throw std::invalid_argument(std::string(name) + " must be " + std::to_string(count) + " numbers");
  }
  return {reinterpret_cast<const Number*>(bytes.c_str()), count};
}

template <class Number>
nb::bytes bytes_from(const std::vector<Number>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// Arrays come and go as bytes: numpy and PyTorch take them without copies.
class ForestDoor {
  static constexpr int kMostBits = 64;
  const int columns_;
  std::size_t trees_ = 0, asked_ = 0;
  std::unique_ptr<ForestBase> forest_;
  std::function<void(Word64, Word64)> check_;  // of a position: it fits the board and somebody can move

 public:
  ForestDoor(int columns, int rows, int connect, float exploration, float slope, std::uint32_t simulations,
             unsigned threads)
      : columns_(columns) {
    check_board(columns, rows, connect);
    if (columns * (rows + 1) > kMostBits)
      throw std::invalid_argument("board: columns x (rows + 1) must be at most 64");
    if (threads < 1 || threads > 256) throw std::invalid_argument("threads must be 1 to 256");
    const ForestOptions options{{exploration, slope}, simulations, threads};
    if (columns == 7 && rows == 6 && connect == 4) {
      forest_ = std::make_unique<Forest<FixedShape<7, 6, 4>>>(FixedShape<7, 6, 4>{}, options);
    } else {
      const AnyShape<Word64> shape{columns, rows, std::min(connect, std::max(columns, rows) + 1)};
      forest_ = std::make_unique<Forest<AnyShape<Word64>>>(shape, options);
    }
    check_ = [columns, rows, connect](Word64 mine, Word64 mask) {
      with_checked_shape(columns, rows, connect,
                         [&](auto shape) { check_to_move(shape, checked_stones(shape, mine, mask)); });
    };
  }

  void start(const nb::bytes& mine, const nb::bytes& mask) {
    trees_ = mine.size() / sizeof(Word64);
    const auto own = numbers_of<Word64>(mine, trees_, "mine"), all = numbers_of<Word64>(mask, trees_, "mask");
    for (std::size_t i = 0; i < trees_; ++i) check_(own[i], all[i]);
    asked_ = 0;
    const WithoutGil release;
    forest_->start(own, all);
  }

  std::pair<nb::bytes, nb::bytes> leaves() {
    std::vector<Word64> mine, mask;
    {
      const WithoutGil release;
      forest_->leaves(mine, mask);
    }
    check_signals();
    asked_ = mine.size();
    return {bytes_from(mine), bytes_from(mask)};
  }

  void learn(const nb::bytes& wishes, const nb::bytes& values) {
    const std::size_t count = asked_ * columns_;
    const auto wanted = numbers_of<float>(wishes, count, "wishes");
    const auto worth = numbers_of<float>(values, count, "values");
    asked_ = 0;
    const WithoutGil release;
    forest_->learn(wanted, worth);
  }

  void stir(const nb::bytes& noise, float share) {
    forest_->stir(numbers_of<float>(noise, trees_ * columns_, "noise"), share);
  }

  std::pair<nb::bytes, nb::bytes> found() const {
    std::vector<Found> found;
    std::vector<std::int8_t> best;
    forest_->found(found, best);
    return {bytes_from(found), bytes_from(best)};
  }
};

}  // namespace

void bind_forest(nb::module_& module) {
  nb::class_<ForestDoor>(module, "Forest",
                         "Tree searches side by side, for self-play; not for several threads at once.")
      .def(nb::init<int, int, int, float, float, std::uint32_t, unsigned>(), nb::arg("columns"),
           nb::arg("rows"), nb::arg("connect"), nb::kw_only(), nb::arg("exploration"), nb::arg("slope"),
           nb::arg("simulations"), nb::arg("threads"))
      .def("start", &ForestDoor::start, nb::arg("mine"), nb::arg("mask"),
           "A tree for every position: arrays of 64-bit words.")
      .def("leaves", &ForestDoor::leaves,
           "Positions to evaluate, mine and mask: at most one of every tree; none when all have ended.")
      .def("learn", &ForestDoor::learn, nb::arg("wishes"), nb::arg("values"),
           "What is thought of the leaves: [leaf][column] 32-bit floats, logits and values from -1 to 1.")
      .def("stir", &ForestDoor::stir, nb::arg("noise"), nb::arg("share"),
           "[tree][column]: so large a share of what is wanted at the roots becomes noise.")
      .def("found", &ForestDoor::found,
           "[tree][column] of two floats, share of the moves and mean; the best columns, a byte each.");
}

}  // namespace claimeven
