// The rules and counting behind the WebAssembly door.
#include <span>

#include "board/count.hpp"
#include "web/door.hpp"

namespace web = claimeven::web;
using claimeven::web::Place;

CLAIMEVEN_WEB(answer_at) const double* answer_at() { return web::answer.data(); }
CLAIMEVEN_WEB(reason_at) const char* reason_at() { return web::reason.data(); }
CLAIMEVEN_WEB(reason_size) std::size_t reason_size() { return web::reason.size(); }

// The position after these columns: its four words; who has won (-1: nobody); then of every column the row
// where a disc lands (-1: full or over), whether it wins there, and whether the other side would; at the end
// the cells of the winner's lines, as pairs. What cannot be played is refused.
CLAIMEVEN_WEB(position)
int position(int columns, int rows, int connect, const std::uint8_t* moves, int count) {
  using namespace claimeven;
  return web::answered([&] {
    with_checked_shape(columns, rows, connect, [&](auto shape) {
      using Word = typename decltype(shape)::Word;
      Stones<decltype(shape)> stones;
      for (const int column : std::span(moves, static_cast<std::size_t>(count))) {
        if (stones.is_won(shape)) throw std::invalid_argument("the game is over");
        const Word cell =
            column < columns ? landing_cells(shape, stones.mask) & column_cells(shape, column) : 0;
        if (!cell) throw std::invalid_argument("column " + std::to_string(column + 1) + " cannot be played");
        stones = stones.play(cell);
      }
      for (const Word128 word : {Word128{stones.mine}, Word128{stones.mask}}) {
        web::put_whole(static_cast<std::uint64_t>(word));
        web::put_whole(static_cast<std::uint64_t>(word >> 64));
      }
      const bool is_won = stones.is_won(shape);
      web::put(is_won ? (stones.ply() + 1) % 2 : -1);
      const Word landings = is_won ? 0 : landing_cells(shape, stones.mask);
      const Word mine = winning_cells(shape, stones.mine, stones.mask),
                 theirs = winning_cells(shape, stones.theirs(), stones.mask);
      for (int column = 0; column < columns; ++column) {
        const Word cell = landings & column_cells(shape, column);
        web::put(cell ? lowest_index(cell) % (rows + 1) : -1, (cell & mine) != 0, (cell & theirs) != 0);
      }
      if (!is_won) return;
      for (Word left = four_cells(shape, stones.theirs()); left; left &= left - 1) {
        web::put(column_of(shape, left), lowest_index(left) % (rows + 1));
      }
    });
  });
}

// Move sequences of exactly `depth` moves: all, and those whose last move wins.
CLAIMEVEN_WEB(perft)
int perft(int columns, int rows, int connect, std::uint64_t mine_low, std::uint64_t mine_high,
          std::uint64_t mask_low, std::uint64_t mask_high, int depth) {
  const Place place{columns, rows, connect, mine_low, mine_high, mask_low, mask_high};
  return web::answered([&] {
    if (depth < 0 || depth > claimeven::kBits) throw std::invalid_argument("depth must be 0 to 128");
    web::at(place, [&](const auto& shape, const auto& stones) {
      const auto count = claimeven::perft(shape, stones, depth, web::beat);
      web::put_whole(count.all);
      web::put_whole(count.won);
    });
  });
}
