// How many positions a second one core evaluates with a network of the package, by processor time, the best
// of some rounds; and a number made of every bit of the answers, which builds of the same kind must share:
//   g++ -std=c++20 -O3 -march=x86-64-v3 -Inative bench/network.cpp -o build/speed
//   build/speed src/claimeven/data/networks/best.network 80 80 14
// (channels, groups and blocks, as the second line of the file has them; weights in half precision).
#include "agents/network.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include "board/random.hpp"

int main(int argc, char** argv) {
  using namespace claimeven;
  if (argc != 5) return std::puts("speed FILE CHANNELS GROUPS BLOCKS"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  auto start = bytes.begin();
  for (int line = 0; line < 2; ++line) start = std::find(start, bytes.end(), '\n') + 1;
  const std::vector<std::uint8_t> weights(start, bytes.end() - 32);  // the end is SHA-256
  const Network net({std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), false}, 4, 0.2f, weights);
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
  double best = 1e9;
  for (int round = 0; round < 6; ++round) {
    const std::clock_t from = std::clock();
    net.outputs(positions, found.data());
    best = std::min(best, static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC);
  }
  std::uint64_t print = 0;
  for (const float number : found) print = scrambled(print ^ std::bit_cast<std::uint32_t>(number));
  std::printf("%.0f positions a second, answers %016llx\n", static_cast<double>(positions.size()) / best,
              static_cast<unsigned long long>(print));
}
