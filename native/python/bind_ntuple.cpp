#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "agents/ntuple_learn.hpp"
#include "python/bind.hpp"
#include "python/words.hpp"

namespace claimeven {
namespace {

// Tables, and what they remember of how they learned. Many may read while nobody changes them.
class NTupleDoor {
  using Position = NTuples::Position;

  template <class Numbers>
  static nb::bytes bytes_from(const Numbers& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
  }

  static void fill(std::span<float> numbers, const nb::bytes& bytes) {
    if (bytes.size() != numbers.size_bytes())
      throw std::invalid_argument("ntuple: not as many numbers as it has");
    std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    for (const float number : numbers) {
      if (!std::isfinite(number)) throw std::invalid_argument("ntuple: a number is not finite");
    }
  }

  template <class Answer, class Action>
  static nb::bytes answered(const nb::bytes& mine, const nb::bytes& mask, int depth, Action action) {
    if (depth < 0 || depth > 6) throw std::invalid_argument("depth must be 0 to 6");
    const auto positions = positions_of(NTuples::Shape{}, mine, mask);
    std::vector<Answer> found(positions.size());
    {
      const WithoutGil release;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i % (depth > 2 ? 1 : kOften) == 0) check_signals();
        found[i] = action(positions[i]);
      }
    }
    return bytes_from(found);
  }

  static constexpr std::size_t kOften = 1024;  // positions between two looks for Ctrl-C

  NTuples net_;
  NTupleLearner learner_;

 public:
  NTupleDoor(const std::vector<NTuples::Cells>& tuples, const std::vector<int>& stages)
      : net_(tuples, stages), learner_(net_) {}
  NTupleDoor(const NTupleDoor&) = delete;

  std::size_t size() const { return net_.weights().size(); }
  nb::bytes weights() const { return bytes_from(net_.weights()); }
  void set_weights(const nb::bytes& bytes) { fill(net_.weights(), bytes); }
  // As whole numbers of steps, in 16 bits, little-endian on every machine.
  nb::bytes steps(float step) const {
    std::string bytes;
    for (const float weight : net_.weights()) {
      const float whole = std::clamp(std::round(weight / step), -32767.0f, 32767.0f);
      const auto word = static_cast<std::uint16_t>(static_cast<std::int16_t>(whole));
      bytes.push_back(static_cast<char>(word & 255));
      bytes.push_back(static_cast<char>(word >> 8));
    }
    return nb::bytes(bytes.data(), bytes.size());
  }
  void set_steps(const nb::bytes& bytes, float step) {
    const auto weights = net_.weights();
    if (bytes.size() != 2 * weights.size())
      throw std::invalid_argument("ntuple: not as many numbers as it has");
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto word = static_cast<std::uint16_t>(from[2 * i] | from[2 * i + 1] << 8);
      weights[i] = step * static_cast<float>(static_cast<std::int16_t>(word));
    }
  }
  nb::bytes memory() {
    std::vector<float> both(learner_.pushed().begin(), learner_.pushed().end());
    both.insert(both.end(), learner_.moved().begin(), learner_.moved().end());
    return bytes_from(both);
  }
  void set_memory(const nb::bytes& bytes) {
    std::vector<float> both(2 * size());
    fill(both, bytes);
    std::copy_n(both.begin(), size(), learner_.pushed().begin());
    std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(size()), size(), learner_.moved().begin());
  }

  void play(std::uint64_t first_game, std::uint64_t games, std::uint64_t seed, float alpha, float lambda,
            float epsilon, int openings) {
    if (openings < 0 || openings > 42) throw std::invalid_argument("ntuple: openings must be from 0 to 42");
    const WithoutGil release;
    learner_.play(first_game, games, seed, {alpha, lambda, epsilon, openings}, check_signals);
  }

  void learn(const nb::bytes& mine, const nb::bytes& mask, const nb::bytes& scores, float rate) {
    const auto positions = positions_of(NTuples::Shape{}, mine, mask);
    if (scores.size() != positions.size() * NTuples::kColumns)
      throw std::invalid_argument("scores must be seven bytes for every position");
    const WithoutGil release;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (i % kOften == kOften - 1) check_signals();
      NTupleLearner::Scores row;
      std::memcpy(row.data(), scores.c_str() + i * row.size(), row.size());
      learner_.learn(positions[i], row, rate);
    }
  }

  nb::bytes values(const nb::bytes& mine, const nb::bytes& mask, int depth) const {
    return answered<NTuples::Values>(mine, mask, depth,
                                     [&](const Position& position) { return net_.values(position, depth); });
  }

  nb::bytes choices(const nb::bytes& mine, const nb::bytes& mask, int depth) const {
    return answered<std::int8_t>(mine, mask, depth, [&](const Position& position) {
      return static_cast<std::int8_t>(net_.choose(position, depth));
    });
  }
};

}  // namespace

void bind_ntuple(nb::module_& module) {
  module.def(
      "random_tuples",
      [](int count, int length, std::uint64_t seed) {
        if (count < 1 || count > 1024 || length < 1 || length > 8)
          throw std::invalid_argument("random_tuples: 1 to 1024 tuples of 1 to 8 cells");
        return random_tuples(count, length, seed);
      },
      nb::arg("count"), nb::arg("length"), nb::arg("seed"), "Walks over the board, as bits of cells.");
  module.def(
      "random_threats",
      [](int count, std::uint64_t seed) {
        if (count < 0) throw std::invalid_argument("random_threats: not less than none");
        return random_threats(count, seed);
      },
      nb::arg("count"), nb::arg("seed"), "Tuples that see threats: 64 more than the bits of their cells.");
  nb::class_<NTupleDoor>(module, "NTuple",
                         "Tables that each see a few cells of 7x6x4 (native/agents/ntuple.hpp), and learn.")
      .def(nb::init<const std::vector<NTuples::Cells>&, const std::vector<int>&>(), nb::arg("tuples"),
           nb::arg("stages") = std::vector<int>())
      .def_prop_ro("size", &NTupleDoor::size, "How many weights there are.")
      .def("weights", &NTupleDoor::weights, "As 32-bit floats.")
      .def("set_weights", &NTupleDoor::set_weights, nb::arg("data"))
      .def("steps", &NTupleDoor::steps, nb::arg("step"), "Rounded to multiples of that, 16 bits each.")
      .def("set_steps", &NTupleDoor::set_steps, nb::arg("data"), nb::arg("step"))
      .def("memory", &NTupleDoor::memory, "What learning goes on from, beside the weights.")
      .def("set_memory", &NTupleDoor::set_memory, nb::arg("data"))
      .def("play", &NTupleDoor::play, nb::kw_only(), nb::arg("first_game"), nb::arg("games"), nb::arg("seed"),
           nb::arg("alpha"), nb::arg("lambda_"), nb::arg("epsilon"), nb::arg("openings"),
           "Play games against itself and learn from them.")
      .def("learn", &NTupleDoor::learn, nb::arg("mine"), nb::arg("mask"), nb::arg("scores"), nb::arg("rate"),
           "Learn from exact scores: seven signed bytes a position, -128 for none.")
      .def("values", &NTupleDoor::values, nb::arg("mine"), nb::arg("mask"), nb::arg("depth") = 0,
           "[position][column] floats: what each is worth, from -1 to 1; -2 a full column.")
      .def("choices", &NTupleDoor::choices, nb::arg("mine"), nb::arg("mask"), nb::arg("depth") = 0,
           "The column that it plays in every position, one byte each.");
}

}  // namespace claimeven
