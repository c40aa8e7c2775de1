#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "agents/network/puct.hpp"
#include "agents/network/search.hpp"
#include "python/bind.hpp"
#include "python/words.hpp"

namespace claimeven {
namespace {

struct NetworkFound {
  std::vector<float> values;  // of every column
  int depth;
  std::uint64_t nodes;
  double seconds;
};

class NetworkDoor {
  using Position = Network::Position;

  static std::span<const std::uint8_t> bytes_of(const nb::bytes& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
  }

  template <class Number>
  static nb::bytes bytes_from(const std::vector<Number>& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  }

  // In parts, between which Ctrl-C is heard.
  template <class Action>
  static void in_parts(const std::vector<Position>& positions, Action action) {
    constexpr std::size_t kPart = 1024;
    const WithoutGil release;
    for (std::size_t from = 0; from < positions.size(); from += kPart) {
      action(from, std::span(positions).subspan(from, std::min(kPart, positions.size() - from)));
      check_signals();
    }
  }

  static void check_depth(int depth) {
    if (depth < 1 || depth > 6) throw std::invalid_argument("depth must be 1 to 6");
  }

  static Position position_of(const nb::int_& mine, const nb::int_& mask) {
    const Position position = checked_stones(Network::Shape{}, word_of(mine, "mine"), word_of(mask, "mask"));
    check_to_move(Network::Shape{}, position);
    return position;
  }

  // Positions that are judged by their own looks are evaluated in batches.
  std::vector<NetworkSearch::Values> wishes(const std::vector<Position>& positions) const {
    std::vector<NetworkSearch::Values> found(positions.size());
    in_parts(positions, [&](std::size_t from, auto part) {
      NetworkSearch search(network_);
      std::vector<Position> plain;
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (network_.ahead(part[i]) > 0) {
          found[from + i] = search.wishes(part[i]);
        } else {
          plain.push_back(part[i]), places.push_back(from + i);
        }
      }
      std::vector<Network::Outlook> seen(plain.size() * Network::kColumns);
      network_.outlooks(plain, reinterpret_cast<Network::Outlooks*>(seen.data()));
      for (std::size_t i = 0; i < seen.size(); ++i) {
        found[places[i / Network::kColumns]][i % Network::kColumns] = seen[i].wish;
      }
    });
    return found;
  }

  // The left one of equals.
  static std::int8_t best_of(const NetworkSearch::Values& values) {
    return static_cast<std::int8_t>(std::ranges::max_element(values) - values.begin());
  }

  Network network_;

 public:
  explicit NetworkDoor(float slope) : network_(slope) {}

  void add(int stones, int channels, int groups, int blocks, bool is_rounded, float weigh,
           const nb::bytes& weights, float ahead) {
    network_.add(stones, {channels, groups, blocks, is_rounded}, weigh, bytes_of(weights), ahead);
  }

  nb::bytes outputs(const nb::bytes& mine, const nb::bytes& mask) const {
    const auto positions = positions_of(Network::Shape{}, mine, mask);
    constexpr std::size_t kEach = Network::kColumns * Network::kOutputs;
    std::vector<float> found(positions.size() * kEach);
    in_parts(positions, [&](std::size_t from, auto part) { network_.outputs(part, &found[from * kEach]); });
    return bytes_from(found);
  }

  nb::bytes views(const nb::bytes& mine, const nb::bytes& mask) const {
    const auto positions = positions_of(Network::Shape{}, mine, mask);
    std::vector<Network::Outlook> found(positions.size() * Network::kColumns);
    in_parts(positions, [&](std::size_t from, auto part) {
      network_.outlooks(part, reinterpret_cast<Network::Outlooks*>(&found[from * Network::kColumns]));
    });
    return bytes_from(found);
  }

  // [position][column]: how much the network alone wants each.
  nb::bytes wishes(const nb::bytes& mine, const nb::bytes& mask) const {
    const auto positions = positions_of(Network::Shape{}, mine, mask);
    return bytes_from(wishes(positions));
  }

  NetworkFound search(nb::int_ mine, nb::int_ mask, int depth, std::optional<std::uint64_t> nodes,
                      std::optional<double> seconds, nb::object stop) const {
    const Position position = position_of(mine, mask);
    check_depth(depth);
    Limit limit = limit_of(nodes, seconds, stop);
    limit.look_every(1);
    const WithoutGil release;
    NetworkSearch search(network_);
    const auto values = search.values(position, depth, 1, nullptr, &limit);
    return {{values.begin(), values.end()}, search.depth(), search.evaluated(), limit.seconds()};
  }

  PuctResult puct(nb::int_ mine, nb::int_ mask, float exploration, std::uint64_t simulations,
                  std::optional<double> seconds, nb::object stop) const {
    const Position position = position_of(mine, mask);
    Limit limit = limit_of(simulations, seconds, stop);
    const WithoutGil release;
    return NetworkPuct(network_, exploration).run(position, limit);
  }

  nb::bytes choices(const nb::bytes& mine, const nb::bytes& mask, int depth, std::uint64_t simulations,
                    float exploration) const {
    const auto positions = positions_of(Network::Shape{}, mine, mask);
    std::vector<std::int8_t> found(positions.size());
    if (simulations > 0) {
      const WithoutGil release;
      NetworkPuct search(network_, exploration);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        check_to_move(Network::Shape{}, positions[i]);
        Limit limit(simulations);
        found[i] = static_cast<std::int8_t>(search.run(positions[i], limit).best);
        check_signals();
      }
      return bytes_from(found);
    }
    if (depth != 0) {
      check_depth(depth);
      const WithoutGil release;
      NetworkSearch search(network_);
      std::size_t evaluated = 0;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        found[i] = best_of(search.values(positions[i], depth));
        if ((evaluated += search.evaluated()) < 1000) continue;
        evaluated = 0;
        check_signals();
      }
      return bytes_from(found);
    }
    const auto wanted = wishes(positions);
    for (std::size_t i = 0; i < positions.size(); ++i) found[i] = best_of(wanted[i]);
    return bytes_from(found);
  }
};

}  // namespace

void bind_network(nb::module_& module) {
  nb::class_<PuctResult>(module, "PuctResult", "The columns, and what the search used.")
      .def_ro("columns", &PuctResult::columns)
      .def_ro("best", &PuctResult::best)
      .def_ro("simulations", &PuctResult::simulations)
      .def_ro("nodes", &PuctResult::nodes)
      .def_ro("depth", &PuctResult::depth)
      .def_ro("seconds", &PuctResult::seconds);
  nb::class_<NetworkFound>(module, "NetworkFound", "What every column is worth, and what the search used.")
      .def_ro("values", &NetworkFound::values)
      .def_ro("depth", &NetworkFound::depth)
      .def_ro("nodes", &NetworkFound::nodes)
      .def_ro("seconds", &NetworkFound::seconds);
  nb::class_<NetworkDoor>(
      module, "Network",
      "A trained network on 7x6x4 (native/agents/network/network.hpp). Positions are arrays of words.")
      .def(nb::init<float>(), nb::kw_only(), nb::arg("slope"))
      .def("add", &NetworkDoor::add, nb::arg("stones"), nb::arg("channels"), nb::arg("groups"),
           nb::arg("blocks"), nb::arg("is_rounded"), nb::kw_only(), nb::arg("weigh"), nb::arg("weights"),
           nb::arg("ahead") = 0.0f,
           "Layers for positions of so many stones and more; the first from 0, before anything is asked.")
      .def("outputs", &NetworkDoor::outputs, nb::arg("mine"), nb::arg("mask"),
           "What the last layer says, as 32-bit floats: [position][column][output].")
      .def("views", &NetworkDoor::views, nb::arg("mine"), nb::arg("mask"),
           "[position][column] of five floats: how much it is wanted, chances of win, draw and loss, score.")
      .def("wishes", nb::overload_cast<const nb::bytes&, const nb::bytes&>(&NetworkDoor::wishes, nb::const_),
           nb::arg("mine"), nb::arg("mask"),
           "[position][column] floats: how much the network alone wants each column.")
      .def("search", &NetworkDoor::search, nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("depth"),
           nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("stop").none(),
           "What each column is worth after so many plies, or as many as the limits allow, at least one.")
      .def("puct", &NetworkDoor::puct, nb::arg("mine"), nb::arg("mask"), nb::kw_only(),
           nb::arg("exploration"), nb::arg("simulations"), nb::arg("seconds").none(), nb::arg("stop").none(),
           "A tree search guided by the network, of so many simulations or as far as the limits allow.")
      .def("choices", &NetworkDoor::choices, nb::arg("mine"), nb::arg("mask"), nb::arg("depth"),
           nb::arg("simulations"), nb::arg("exploration"),
           "The column that it plays in every position, a byte each; without depth and simulations: alone.");
}

}  // namespace claimeven
