// The geometry and the counts of the core, under AddressSanitizer and UndefinedBehaviorSanitizer: perft,
// distinct positions, and random games on every kind of board held against a walk over an array.
#include "board/board.hpp"

#include <random>
#include <vector>

#include "board/count.hpp"
#include "check.hpp"

namespace {

using namespace claimeven;

constexpr std::size_t kPlenty = std::size_t{1} << 30;
const Heartbeat kNothing = [] {};

// The stones of one side in an array, and whether they have a line through or ending at a cell.
struct Walker {
  int columns, rows, connect;
  std::vector<bool> cells = std::vector<bool>(static_cast<std::size_t>(columns * rows));

  bool at(int column, int row) const {
    return column >= 0 && column < columns && row >= 0 && row < rows &&
           cells[static_cast<std::size_t>(column * rows + row)];
  }
  int reach(int column, int row, int right, int up) const {
    int length = 0;
    while (at(column + (length + 1) * right, row + (length + 1) * up)) ++length;
    return length;
  }
  bool completes(int column, int row) const {
    for (const auto& [right, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
      if (reach(column, row, right, up) + 1 + reach(column, row, -right, -up) >= connect) return true;
    }
    return false;
  }
};

template <class Shape>
void play_randomly(const Shape& shape, std::mt19937& random) {
  using Word = typename Shape::Word;
  const int height = shape.rows + 1;
  Walker walkers[2] = {{shape.columns, shape.rows, shape.connect},
                       {shape.columns, shape.rows, shape.connect}};
  Stones<Shape> stones;
  for (int ply = 0; stones.mask != shape.full; ++ply) {
    const auto& walker = walkers[ply % 2];
    const Word landings = landing_cells(shape, stones.mask);
    const Word wins = winning_cells(shape, stones.mine, stones.mask);
    CHECK((landings & stones.mask) == 0 && landings != 0);
    CHECK((wins & ~shape.full) == 0 && (wins & stones.mask) == 0);
    for (int column = 0; column < shape.columns; ++column) {
      for (int row = 0; row < shape.rows; ++row) {
        const Word cell = Word{1} << (column * height + row);
        CHECK(column_of(shape, cell) == column && lowest_index(cell) == column * height + row);
        CHECK(((column_cells(shape, column) & cell) != 0));
        if (!(stones.mask & cell)) CHECK(((wins & cell) != 0) == walker.completes(column, row));
      }
    }
    const auto mirrored = mirror(shape, stones);
    CHECK(mirror(shape, mirrored).key() == stones.key());
    CHECK(canonical_key(shape, mirrored) == canonical_key(shape, stones));
    CHECK(mirror(shape, wins) == winning_cells(shape, mirrored.mine, mirrored.mask));

    Word landing = landings;
    for (auto skip = random() % static_cast<unsigned>(popcount(landings)); skip > 0; --skip)
      landing &= landing - 1;
    landing = lowest_bit(landing);
    const int column = column_of(shape, landing), row = lowest_index(landing) - column * height;
    walkers[ply % 2].cells[static_cast<std::size_t>(column * shape.rows + row)] = true;
    stones = stones.play(landing);
    CHECK(stones.ply() == ply + 1);
    CHECK(stones.is_won(shape) == ((wins & landing) != 0));
    CHECK((four_cells(shape, stones.theirs()) != 0) == stones.is_won(shape));
    if (stones.is_won(shape)) {
      CHECK((four_cells(shape, stones.theirs()) & landing) != 0);
      CHECK(popcount(four_cells(shape, stones.theirs())) >= shape.connect);
      return;
    }
  }
}

struct Size {
  int columns, rows, connect;
};

void check_board(const Size& size, int games, int depth) {
  with_shape(size.columns, size.rows, size.connect, [&](auto shape) {
    std::mt19937 random(static_cast<unsigned>(size.columns * 10000 + size.rows * 100 + size.connect));
    for (int game = 0; game < games; ++game) play_randomly(shape, random);
    const auto plies = count_positions(shape, depth, kPlenty, kNothing);
    for (int ply = 0; ply < static_cast<int>(plies.size()); ++ply) {
      const auto& count = plies[static_cast<std::size_t>(ply)];
      CHECK(count.all <= perft(shape, {}, ply, kNothing).all);
      CHECK(count.canonical <= count.all && count.all <= 2 * count.canonical);
      CHECK(count.unforced_canonical <= count.canonical);
    }
  });
}

// The same numbers whether the shape is fixed or not, on 64 bits or on 128.
void check_shapes(int depth) {
  const FixedShape<7, 6, 4> fixed;
  const AnyShape<Word64> narrow{7, 6, 4};
  const AnyShape<Word128> wide{7, 6, 4};
  const auto expected = perft(fixed, {}, depth, kNothing);
  CHECK(perft(FourShape<Word64>{7, 6}, {}, depth, kNothing).won == expected.won);
  CHECK(perft(FourShape<Word128>{7, 6}, {}, depth, kNothing).won == expected.won);
  CHECK(perft(narrow, {}, depth, kNothing).all == expected.all);
  CHECK(perft(wide, {}, depth, kNothing).all == expected.all);
  CHECK(perft(wide, {}, depth, kNothing).won == expected.won);
}

void check_memory_limit() {
  bool refused = false;
  try {
    count_positions(FixedShape<7, 6, 4>{}, 8, 1000, kNothing);
  } catch (const std::length_error&) {
    refused = true;
  }
  CHECK(refused);
}

}  // namespace

int main(int argc, char** argv) {
  const bool thorough = is_long(argc, argv);
  const FixedShape<7, 6, 4> standard;
  CHECK(perft(standard, {}, 7, kNothing).all == 823536);
  CHECK(perft(standard, {}, 7, kNothing).won == 13032);
  if (thorough) CHECK(perft(standard, {}, 10, kNothing).all == 268031646);
  CHECK(count_positions(standard, 8, kPlenty, kNothing)[8].unforced_canonical == 67557);
  if (thorough) CHECK(count_positions(standard, 11, kPlenty, kNothing)[11].all == 4568683);
  check_shapes(thorough ? 8 : 5);
  check_memory_limit();

  for (const Size& size : std::vector<Size>{
           {7, 6, 4},   {4, 4, 3},   {5, 4, 4},   {12, 6, 4},  {10, 10, 5}, {9, 7, 4},   {8, 7, 4},
           {4, 29, 4},  {4, 31, 4},  {16, 7, 7},  {1, 63, 4},  {1, 63, 63}, {1, 127, 4}, {1, 127, 127},
           {2, 31, 2},  {2, 31, 31}, {2, 32, 2},  {2, 32, 32}, {2, 63, 2},  {2, 63, 63}, {32, 1, 32},
           {35, 1, 35}, {35, 2, 4},  {35, 2, 35}, {32, 3, 3},  {32, 3, 32}, {8, 15, 8},  {11, 10, 10},
           {1, 1, 1},   {1, 1, 2},   {3, 3, 1},   {3, 3, 4},   {2, 1, 3},   {1, 2, 3}}) {
    check_board(size, thorough ? 400 : 20, thorough ? 4 : 3);
  }
  // Every board that fits, with the shortest, a middle and the longest connect.
  for (int columns = 1; columns <= kMaxColumns; ++columns) {
    for (int rows = 1; columns * (rows + 1) <= 128; ++rows) {
      const int longest = std::max(columns, rows);
      for (const int connect : {1, 2, (longest + 1) / 2, longest, longest + 1}) {
        if (connect >= 1) check_board({columns, rows, connect}, thorough ? 20 : 2, thorough ? 2 : 1);
      }
    }
  }
  std::puts("ok");
}
