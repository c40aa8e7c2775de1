// The geometry of any board: columns x rows x connect on 64 or 128 bits.
//
// The bit layout is drawn once, in src/claimeven/board.py: bit column * (rows + 1) + row, row 0 at
// the bottom, one always-empty sentinel bit on top of every column. A position is two words: `mine`
// (stones of the side to move) and `mask` (all stones).
//
// A *shape* carries the numbers. FixedShape<7, 6, 4> has them as constants, so that every function
// below compiles to straight-line code; FourShape<Word> knows that four are to be connected and that they
// fit in every direction; AnyShape<Word> has all numbers as members. One source serves them all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace claimeven {

using Word64 = std::uint64_t;
using Word128 = unsigned __int128;

inline constexpr int kMaxColumns = 35;  // one base-36 digit names a column

constexpr int popcount(Word64 word) { return std::popcount(word); }
constexpr int popcount(Word128 word) {
  return std::popcount(static_cast<Word64>(word)) + std::popcount(static_cast<Word64>(word >> 64));
}

constexpr int lowest_index(Word64 word) { return std::countr_zero(word); }
constexpr int lowest_index(Word128 word) {
  const auto low = static_cast<Word64>(word);
  return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<Word64>(word >> 64));
}

template <class Word>
constexpr Word lowest_bit(Word word) {
  return word & (~word + 1);
}

// The bottom cell of every column.
template <class Word>
constexpr Word bottom_of(int columns, int rows) {
  Word bottom = 0;
  for (int column = 0; column < columns; ++column) bottom |= Word{1} << (column * (rows + 1));
  return bottom;
}

// Every cell of the board, sentinels excluded.
template <class Word>
constexpr Word full_of(int columns, int rows) {
  const Word bottom = bottom_of<Word>(columns, rows);
  Word full = 0;
  for (int row = 0; row < rows; ++row) full |= bottom << row;
  return full;
}

// The rows of the same parity as the top row: what a player gets who always answers above (pairing.hpp).
template <class Word>
constexpr Word claim_of(int columns, int rows) {
  const Word bottom = bottom_of<Word>(columns, rows);
  Word claim = 0;
  for (int row = rows - 1; row >= 0; row -= 2) claim |= bottom << row;
  return claim;
}

template <int Columns, int Rows, int Connect>
struct FixedShape {
  using Word = std::conditional_t<(Columns * (Rows + 1) <= 64), Word64, Word128>;
  static constexpr int columns = Columns, rows = Rows, connect = Connect, cells = Columns * Rows;
  static constexpr int kLongest = Connect;
  static constexpr bool kFitsAlways = Connect <= Columns && Connect <= Rows;
  static constexpr Word bottom = bottom_of<Word>(Columns, Rows);
  static constexpr Word full = full_of<Word>(Columns, Rows);
  static constexpr Word claim = claim_of<Word>(Columns, Rows);
};

// The boards that people play: four in a row, in all directions. So many rows that the steps of a line, and
// two of them at once, are shorter than 64 bits: halves of a word are never shifted by more.
inline constexpr int kMostFourRows = 29;
template <class W>
struct FourShape {
  using Word = W;
  static constexpr int connect = 4;
  static constexpr int kLongest = 4;
  static constexpr bool kFitsAlways = true;
  int columns, rows;
  int cells = columns * rows;
  Word bottom = bottom_of<W>(columns, rows);
  Word full = full_of<W>(columns, rows);
  Word claim = claim_of<W>(columns, rows);
};

template <class W>
struct AnyShape {
  using Word = W;
  static constexpr int kLongest = kMaxColumns;  // of lines that are not vertical
  static constexpr bool kFitsAlways = false;
  int columns, rows, connect;
  int cells = columns * rows;
  Word bottom = bottom_of<W>(columns, rows);
  Word full = full_of<W>(columns, rows);
  Word claim = claim_of<W>(columns, rows);
};

// The four directions in which a line can run, as distances between neighbouring bits.
inline constexpr int kVertical = 0, kFalling = 1, kLevel = 2, kRising = 3;
template <class Shape>
constexpr int distance(const Shape& shape, int direction) {
  return direction == kVertical ? 1 : shape.rows - 1 + direction;
}

// Whether a line of `connect` fits the board in this direction. Where it does not, the shifts below
// could exceed the word: such a direction is never computed.
template <class Shape>
constexpr bool line_fits(const Shape& shape, int direction) {
  if constexpr (Shape::kFitsAlways) return true;
  return (direction == kVertical || shape.connect <= shape.columns) &&
         (direction == kLevel || shape.connect <= shape.rows);
}

// Four in a row in all directions: the functions below spell that case out. Loops over lengths and directions
// that compilers do not unroll took a sixth of the instructions of a search.
template <class Shape>
inline constexpr bool kIsFour = Shape::kLongest == 4 && Shape::kFitsAlways;
template <class Shape>
constexpr int four_rows(const Shape& shape) {
  const int rows = shape.rows;
  if (rows < 4 || rows > kMostFourRows) __builtin_unreachable();
  return rows;
}

// The cells from which a complete line of `stones` starts; 0 when there is none.
//
// W is one word, or several side by side (lanes.hpp): the same operations serve both.
template <class Shape, class W>
constexpr W line_starts(const Shape& shape, W stones) {
  if constexpr (kIsFour<Shape>) {
    const int rows = four_rows(shape);
    const auto fours = [&stones](int d) {
      const W pairs = stones & (stones >> d);
      return pairs & (pairs >> (2 * d));
    };
    return fours(1) | fours(rows) | fours(rows + 1) | fours(rows + 2);
  }
  W starts{};
  for (int direction = kVertical; direction <= kRising; ++direction) {
    if (!line_fits(shape, direction)) continue;
    W run = stones;  // cells that start a run of `length` stones
    for (int length = 1; length < shape.connect;) {
      const int step = std::min(length, shape.connect - length);
      run &= run >> (step * distance(shape, direction));
      length += step;
    }
    starts |= run;
  }
  return starts;
}

template <class Shape>
constexpr bool has_four(const Shape& shape, typename Shape::Word stones) {
  return line_starts(shape, stones) != 0;
}

// All cells of all complete lines inside `stones`; for the stones of a winner: the four.
template <class Shape>
constexpr typename Shape::Word four_cells(const Shape& shape, typename Shape::Word stones) {
  typename Shape::Word cells = 0;
  for (int direction = kVertical; direction <= kRising; ++direction) {
    if (!line_fits(shape, direction)) continue;
    const int d = distance(shape, direction);
    auto run = stones;
    for (int i = 1; i < shape.connect; ++i) run &= stones >> (i * d);
    for (int i = 0; i < shape.connect; ++i) cells |= run << (i * d);
  }
  return cells;
}

// The empty cells, reachable now or later, that complete a line of `stones`. What lies above a stone of a
// game is a stone or empty; with kFloats stones may float, so that a column may lack a cell between them.
template <bool kFloats = false, class Shape, class W>
constexpr W winning_cells(const Shape& shape, W stones, W mask) {
  if constexpr (kIsFour<Shape>) {
    const int rows = four_rows(shape);
    const auto wins = [&stones](int d) {
      const W pairs = stones & (stones >> d), before = pairs << (2 * d), after = pairs >> d;
      return (before & ((before << d) | (stones >> d))) | (after & ((after >> d) | (stones << d)));
    };
    W above;
    if constexpr (kFloats)
      above = wins(1);
    else
      above = (stones & (stones << 1) & (stones << 2)) << 1;
    return (above | wins(rows) | wins(rows + 1) | wins(rows + 2)) & (shape.full & ~mask);
  }
  const int connect = shape.connect;
  if (connect == 1) return shape.full & ~mask;
  W cells{};
  if (!kFloats && line_fits(shape, kVertical)) {
    W run = stones;
    for (int i = 1; i < connect - 1; ++i) run &= run << 1;
    cells |= run << 1;
  }
  for (int direction = kFloats ? kVertical : kFalling; direction <= kRising; ++direction) {
    if (!line_fits(shape, direction)) continue;
    const int d = distance(shape, direction);
    // before[i]: the i cells before this one are stones; `after` is grown from the other end.
    W before[Shape::kLongest + 1];
    before[0] = ~W{};
    for (int i = 1; i < connect; ++i) before[i] = (stones & before[i - 1]) << d;
    W after = ~W{};
    for (int i = 0; i < connect; ++i) {
      cells |= before[connect - 1 - i] & after;
      after = (stones & after) >> d;
    }
  }
  return cells & (shape.full & ~mask);
}

// The landing cell of every open column.
template <class Shape, class W>
constexpr W landing_cells(const Shape& shape, W mask) {
  return (mask + shape.bottom) & shape.full;
}

template <class Shape>
constexpr typename Shape::Word column_cells(const Shape& shape, int column) {
  using Word = typename Shape::Word;
  return ((Word{1} << shape.rows) - 1) << (column * (shape.rows + 1));
}

template <class Shape>
constexpr int column_of(const Shape& shape, typename Shape::Word cell) {
  return lowest_index(cell) / (shape.rows + 1);
}

// The same word with its columns in reverse order.
template <class Shape, class W>
constexpr W mirror(const Shape& shape, W word) {
  using Word = typename Shape::Word;
  const int height = shape.rows + 1;
  const Word column = height < static_cast<int>(sizeof(Word) * 8) ? (Word{1} << height) - 1 : ~Word{0};
  W mirrored{};
  for (int i = 0; i < shape.columns; ++i) {
    mirrored |= ((word >> (i * height)) & column) << ((shape.columns - 1 - i) * height);
  }
  return mirrored;
}

// A position. Whose turn it is follows from the number of stones.
template <class Shape>
struct Stones {
  using Word = typename Shape::Word;
  Word mine = 0;  // of the side to move
  Word mask = 0;  // of both

  constexpr Word theirs() const { return mine ^ mask; }
  constexpr int ply() const { return popcount(mask); }

  // Unique per board: in each column the sum is 2^height - 1 + (bits of mine), and these intervals
  // are disjoint for different heights.
  constexpr Word key() const { return mine + mask; }

  constexpr Stones play(Word cell) const { return {mine ^ mask, mask | cell}; }

  // The side that just moved has completed a line.
  constexpr bool is_won(const Shape& shape) const { return has_four(shape, theirs()); }
};

template <class Shape>
constexpr Stones<Shape> mirror(const Shape& shape, const Stones<Shape>& stones) {
  return {mirror(shape, stones.mine), mirror(shape, stones.mask)};
}

template <class Shape>
constexpr typename Shape::Word canonical_key(const Shape& shape, const Stones<Shape>& stones) {
  return std::min(stones.key(), mirror(shape, stones).key());
}

// One of something for every shape there is. In browsers, which load every kilobyte, small boards with lines
// of another length than four do with the word of large ones.
#if defined(__wasm__)
inline constexpr bool kHasSmallAny = false;
template <template <class> class Of>
using OfAnyShape = std::variant<Of<FixedShape<7, 6, 4>>, Of<FourShape<Word64>>, Of<FourShape<Word128>>,
                                Of<AnyShape<Word128>>>;
#else
inline constexpr bool kHasSmallAny = true;
template <template <class> class Of>
using OfAnyShape = std::variant<Of<FixedShape<7, 6, 4>>, Of<FourShape<Word64>>, Of<FourShape<Word128>>,
                                Of<AnyShape<Word64>>, Of<AnyShape<Word128>>>;
#endif

// Calls `action(shape)` with the fastest shape for this board, and with the smallest word that holds
// columns * (rows + 1) bits. Sizes must have been checked.
template <class Action>
auto with_shape(int columns, int rows, int connect, Action&& action) {
  if (columns == 7 && rows == 6 && connect == 4) return action(FixedShape<7, 6, 4>{});
  const bool is_small = columns * (rows + 1) <= 64;
  if (connect == 4 && columns >= 4 && rows >= 4 && rows <= kMostFourRows) {
    return is_small ? action(FourShape<Word64>{columns, rows}) : action(FourShape<Word128>{columns, rows});
  }
  if constexpr (kHasSmallAny) {
    if (is_small) return action(AnyShape<Word64>{columns, rows, connect});
  }
  return action(AnyShape<Word128>{columns, rows, connect});
}

}  // namespace claimeven
