// Networks, alone and with PUCT, behind the WebAssembly door. A position is two words: the board is 7x6x4.
#include "agents/network/puct.hpp"
#include "agents/network/search.hpp"
#include "web/door.hpp"

namespace web = claimeven::web;

namespace {

claimeven::Network::Position position_of(std::uint64_t mine, std::uint64_t mask) {
  constexpr claimeven::Network::Shape shape{};
  const auto stones = claimeven::checked_stones(shape, mine, mask);
  claimeven::check_to_move(shape, stones);
  return stones;
}

}  // namespace

CLAIMEVEN_WEB(network_new)
claimeven::Network* network_new(double slope) { return new claimeven::Network(static_cast<float>(slope)); }

// Layers for positions of so many stones and more. `weights` are copied.
CLAIMEVEN_WEB(network_add)
int network_add(claimeven::Network* network, int stones, int channels, int groups, int blocks, int is_rounded,
                double weigh, double ahead, const std::uint8_t* weights, int count) {
  return web::answered([&] {
    network->add(stones, {channels, groups, blocks, is_rounded != 0}, static_cast<float>(weigh),
                 std::span(weights, static_cast<std::size_t>(count)), static_cast<float>(ahead));
  });
}
CLAIMEVEN_WEB(network_delete) void network_delete(claimeven::Network* network) { delete network; }

// The answer, for every column: how much it is wanted, chances of win, draw and loss, score.
CLAIMEVEN_WEB(network_views)
int network_views(const claimeven::Network* network, std::uint64_t mine, std::uint64_t mask) {
  using namespace claimeven;
  return web::answered([&] {
    const Network::Position position = position_of(mine, mask);
    Network::Outlooks outlooks;
    network->outlooks({&position, 1}, &outlooks);
    for (const Network::Outlook& outlook : outlooks)
      web::put(outlook.wish, outlook.win, outlook.draw, outlook.loss, outlook.score);
  });
}

// The answer: how much the network alone wants every column.
CLAIMEVEN_WEB(network_wishes)
int network_wishes(const claimeven::Network* network, std::uint64_t mine, std::uint64_t mask) {
  using namespace claimeven;
  return web::answered([&] {
    for (const float wish : NetworkSearch(*network).wishes(position_of(mine, mask))) web::put(wish);
  });
}

// The answer: depth, nodes, seconds; then what every column is worth.
CLAIMEVEN_WEB(network_search)
int network_search(const claimeven::Network* network, std::uint64_t mine, std::uint64_t mask, int depth,
                   double nodes, double seconds) {
  using namespace claimeven;
  return web::answered([&] {
    const Network::Position position = position_of(mine, mask);
    if (depth < 1 || depth > 6) throw std::invalid_argument("depth must be 1 to 6");
    Limit limit = web::limit_of(nodes, seconds);
    limit.look_every(1);
    NetworkSearch search(*network);
    const auto values = search.values(position, depth, 1, nullptr, &limit);
    web::put(search.depth(), search.evaluated(), limit.seconds());
    for (const float value : values) web::put(value);
  });
}

// The answer: the best column, simulations, nodes, depth, seconds; then column, visits, mean, what is proved
// (2: nothing).
CLAIMEVEN_WEB(network_puct)
int network_puct(const claimeven::Network* network, std::uint64_t mine, std::uint64_t mask,
                 double exploration, double simulations, double seconds) {
  using namespace claimeven;
  return web::answered([&] {
    const Network::Position position = position_of(mine, mask);
    Limit limit = web::limit_of(simulations, seconds);
    const PuctResult result = NetworkPuct(*network, static_cast<float>(exploration)).run(position, limit);
    web::put(result.best, result.simulations, result.nodes, result.depth, result.seconds);
    for (const MctsColumn& column : result.columns) {
      web::put(column.column, column.visits, column.mean, column.proven);
    }
  });
}
