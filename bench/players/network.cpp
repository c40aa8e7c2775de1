// How many positions a second one core evaluates with a network of the package, by processor time, the best
// of some rounds; how many choices it makes by the boards that follow, in positions of at most 11 stones, and
// in all of them if those of more are judged by their looks; and a number made of every bit of the answers,
// which builds of the same kind must share:
//   python -c "from claimeven.agents.kinds.network import *; \
//     open('build/part', 'wb').write(read_network(shipped_path('best')).parts[0].weights)"
//   g++ -std=c++20 -O3 -march=x86-64-v3 -Inative bench/players/network.cpp -o build/speed
//   build/speed build/part 80 80 14 1
// (channels, groups, blocks of that part, and whether its weights are signed bytes).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include "agents/network/search.hpp"
#include "board/random.hpp"

int main(int argc, char** argv) {
  using namespace claimeven;
  if (argc != 6) return std::puts("speed WEIGHTS CHANNELS GROUPS BLOCKS ROUNDED"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<std::uint8_t> weights{std::istreambuf_iterator<char>(file), {}};
  Network net(0.2f);
  net.add(0, {std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]) != 0}, 4,
          weights);
  std::vector<Network::Position> positions;
  for (Random random(1); positions.size() < 1024;) {
    Network::Position position;
    for (std::uint32_t left = random.below(24); left; --left) {
      Word64 cells = landing_cells(Network::Shape{}, position.mask);
      for (auto skip = random.below(static_cast<std::uint32_t>(popcount(cells))); skip; --skip)
        cells &= cells - 1;
      position = position.play(cells & -cells);
    }
    positions.push_back(position);
  }
  std::vector<float> found(positions.size() * Network::kColumns * Network::kOutputs);
  const auto seconds = [](auto action) {
    double best = 1e9;
    for (int round = 0; round < 6; ++round) {
      const std::clock_t from = std::clock();
      action();
      best = std::min(best, static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC);
    }
    return best;
  };
  const double looking = seconds([&] { net.outputs(positions, found.data()); });
  std::vector<Network::Position> early, later;
  for (const auto& position : positions) (position.ply() < 12 ? early : later).push_back(position);
  NetworkSearch search(net);
  std::vector<float> scratch(found.size());
  const double ahead = seconds([&] {
    for (const auto& position : early) search.values(position, 1, 2);
  });
  const double plain = seconds([&] { net.outputs(later, scratch.data()); });
  std::uint64_t print = 0;
  for (const float number : found) print = scrambled(print ^ std::bit_cast<std::uint32_t>(number));
  const auto rate = [](std::size_t count, double time) { return static_cast<double>(count) / time; };
  std::printf("%.0f positions a second, %.0f choices that look ahead, %.0f of the mix, answers %016llx\n",
              rate(positions.size(), looking), rate(early.size(), ahead),
              rate(positions.size(), ahead + plain), static_cast<unsigned long long>(print));
}
