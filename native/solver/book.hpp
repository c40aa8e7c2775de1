// The opening book: the exact score of every position of one board up to some ply.
//
// Keys are not stored. All positions of these plies are known, so the book only has to map each of them to
// its score, and may say anything about others: a *retrieval structure*. Every key selects three cells of
// five bits, and the cells are filled so that the xor of the three is the code of the score; that takes 1.13
// cells per position. The construction by peeling and the layout in segments are those of binary fuse filters
// (T. Graf and D. Lemire, 2022). A position and its mirror image share a key; finished games and positions
// with a win at hand need no book and are left out.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "board/board.hpp"

namespace claimeven {

namespace book {

// Keys have one word: boards that need two have no books.
template <class Shape>
constexpr bool fits(const Shape& shape) {
  return shape.columns * (shape.rows + 1) <= 64;
}

inline constexpr int kCodeBits = 5;
inline constexpr int kLowest = -16;             // code 0
inline constexpr std::uint8_t kNotStored = 31;  // rare extreme scores: quick to search, not worth a sixth bit
inline constexpr int kMaxPlies = 16;

inline std::uint8_t code_of(int score) {
  const int code = score - kLowest;
  return code >= 0 && code < kNotStored ? static_cast<std::uint8_t>(code) : kNotStored;
}

// At the start of the file, little-endian as the rest. Version 1 is of 7x6x4; version 2 of any board, whose
// columns, rows and connect are the three upper bytes of the word.
struct Header {
  char magic[8];
  std::uint32_t version_and_board, plies;
  std::uint64_t positions, seed, segment_length, segments;
  std::uint64_t checksum;  // of all else: the header before it, then the cells

  static constexpr char kMagic[8] = {'c', '4', 'b', 'o', 'o', 'k', '\r', '\n'};
  static constexpr int kOfStandard = 1, kOfAny = 2;

  int version() const { return static_cast<int>(version_and_board & 255); }
  bool is_known() const { return version() == kOfAny || version_and_board == kOfStandard; }
  int columns() const {
    return version() == kOfStandard ? 7 : static_cast<int>(version_and_board >> 8 & 255);
  }
  int rows() const { return version() == kOfStandard ? 6 : static_cast<int>(version_and_board >> 16 & 255); }
  int connect() const { return version() == kOfStandard ? 4 : static_cast<int>(version_and_board >> 24); }

  template <class Shape>
  bool is_of(const Shape& shape) const {
    return columns() == shape.columns && rows() == shape.rows && connect() == shape.connect;
  }
  template <class Shape>
  static std::uint32_t version_for(const Shape& shape) {
    if (shape.columns == 7 && shape.rows == 6 && shape.connect == 4) return kOfStandard;
    return static_cast<std::uint32_t>(kOfAny | shape.columns << 8 | shape.rows << 16) |
           static_cast<std::uint32_t>(shape.connect) << 24;
  }

  std::uint64_t cells() const { return (segments + 2) * segment_length; }
  std::uint64_t bytes() const {
    return (cells() * kCodeBits + 7) / 8 + 1;
  }  // one more: cells are read two bytes at a time
};

inline std::uint64_t scrambled(
    std::uint64_t word) {  // the finaliser of MurmurHash3 (A. Appleby, public domain)
  word = (word ^ word >> 33) * 0xff51afd7ed558ccd;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53;
  return word ^ word >> 33;
}

inline std::uint64_t checksum(std::span<const std::uint8_t> file) {
  std::uint64_t sum = file.size();
  for (std::size_t i = 0; i < file.size(); i += 8) {
    if (i == offsetof(Header, checksum)) continue;
    std::uint64_t word = 0;
    std::memcpy(&word, &file[i], std::min<std::size_t>(8, file.size() - i));
    sum = scrambled(sum ^ word) + 0x9e3779b97f4a7c15;
  }
  return sum;
}

struct Cells {
  std::uint64_t at[3];
};

// Three cells in three consecutive segments.
inline Cells cells_of(std::uint64_t key, const Header& header) {
  const std::uint64_t hash = scrambled(key + header.seed), within = header.segment_length - 1;
  const auto first = static_cast<std::uint64_t>(
      (static_cast<Word128>(hash) * (header.segments * header.segment_length)) >> 64);
  const std::uint64_t second = (first + header.segment_length) ^ (hash >> 18 & within);
  const std::uint64_t third = (first + 2 * header.segment_length) ^ (hash & within);
  return {{first, second, third}};
}

inline unsigned read_cell(const std::uint8_t* bytes, std::uint64_t cell) {
  const std::uint64_t bit = cell * kCodeBits;
  const unsigned two = bytes[bit / 8] | bytes[bit / 8 + 1] << 8;
  return two >> (bit % 8) & ((1u << kCodeBits) - 1);
}

inline void write_cell(std::uint8_t* bytes, std::uint64_t cell, unsigned code) {
  const std::uint64_t bit = cell * kCodeBits;
  unsigned two = bytes[bit / 8] | bytes[bit / 8 + 1] << 8;
  two ^= (read_cell(bytes, cell) ^ code) << (bit % 8);
  bytes[bit / 8] = static_cast<std::uint8_t>(two);
  bytes[bit / 8 + 1] = static_cast<std::uint8_t>(two >> 8);
}

// The order in which cells can be filled: each step gives one key a cell of its own. Empty when this seed
// fails.
struct Step {
  std::uint32_t key;
  std::uint8_t which;  // of its three cells
};
inline std::vector<Step> peel(std::span<const std::uint64_t> keys, const Header& header) {
  struct Cell {
    std::uint32_t count = 0, keys = 0;  // xor of the numbers of the keys that use it
  };
  std::vector<Cell> cells(header.cells());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    for (const std::uint64_t cell : cells_of(keys[i], header).at) {
      ++cells[cell].count;
      cells[cell].keys ^= i;
    }
  }
  std::vector<std::uint32_t> alone;
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell].count == 1) alone.push_back(cell);
  }
  std::vector<Step> steps;
  steps.reserve(keys.size());
  while (!alone.empty()) {
    const std::uint32_t cell = alone.back();
    alone.pop_back();
    if (cells[cell].count != 1) continue;
    const std::uint32_t key = cells[cell].keys;
    const Cells three = cells_of(keys[key], header);
    for (std::uint8_t i = 0; i < 3; ++i) {
      Cell& used = cells[three.at[i]];
      if (three.at[i] == cell) steps.push_back({key, i});
      used.keys ^= key;
      if (--used.count == 1) alone.push_back(static_cast<std::uint32_t>(three.at[i]));
    }
  }
  if (steps.size() != keys.size()) steps.clear();
  return steps;
}

}  // namespace book

// The bytes of a book: `scores[i]` belongs to the canonical key `keys[i]`; keys must be different.
inline std::vector<std::uint8_t> make_book(std::uint32_t version_and_board, int plies,
                                           std::span<const std::uint64_t> keys,
                                           std::span<const std::int8_t> scores) {
  book::Header header{};
  std::memcpy(header.magic, book::Header::kMagic, sizeof header.magic);
  header.version_and_board = version_and_board;
  header.plies = static_cast<std::uint32_t>(plies);
  header.positions = keys.size();
  const double n = std::max<double>(static_cast<double>(keys.size()), 10);
  header.segment_length = std::uint64_t{1} << static_cast<int>(std::log(n) / std::log(3.33) + 2.25);
  const double room = n * std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(n));
  const auto wanted = static_cast<std::uint64_t>(room) / header.segment_length + 1;
  header.segments = wanted > 3 ? wanted - 2 : 1;

  std::vector<book::Step> steps;
  for (header.seed = 1; steps.empty() && !keys.empty(); ++header.seed) {
    if (header.seed > 100) throw std::logic_error("book: keys are not different");
    steps = book::peel(keys, header);
    if (!steps.empty()) break;
  }
  std::vector<std::uint8_t> cells(header.bytes(), 0);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto three = book::cells_of(keys[step->key], header);
    unsigned code = book::code_of(scores[step->key]);
    for (int i = 0; i < 3; ++i) {
      if (i != step->which) code ^= book::read_cell(cells.data(), three.at[i]);
    }
    book::write_cell(cells.data(), three.at[step->which], code);
  }
  std::vector<std::uint8_t> file(sizeof header + cells.size());
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, cells.data(), cells.size());
  header.checksum = book::checksum(file);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

// A book in memory that somebody else owns, most often a mapped file.
class Book {
 public:
  explicit Book(std::span<const std::uint8_t> file) : file_(file) {
    if (file.size() < sizeof header_) throw std::invalid_argument("the file is too short");
    std::memcpy(&header_, file.data(), sizeof header_);
    if (std::memcmp(header_.magic, book::Header::kMagic, sizeof header_.magic) != 0) {
      throw std::invalid_argument("this is not an opening book");
    }
    if (!header_.is_known()) {
      throw std::invalid_argument("its format has version " + std::to_string(header_.version_and_board) +
                                  ", which is not known here");
    }
    const std::uint64_t length = header_.segment_length;
    if (header_.columns() < 1 || header_.rows() < 1 || header_.connect() < 1 ||
        header_.columns() * (header_.rows() + 1) > 64 || header_.plies > book::kMaxPlies || length == 0 ||
        length > (1u << 24) || (length & (length - 1)) || header_.segments == 0 ||
        header_.segments > (std::uint64_t{1} << 32) / length ||
        file.size() != sizeof header_ + header_.bytes()) {
      throw std::invalid_argument("the file is damaged");
    }
  }

  int version() const { return header_.version(); }
  int columns() const { return header_.columns(); }
  int rows() const { return header_.rows(); }
  int connect() const { return header_.connect(); }
  template <class Shape>
  bool is_of(const Shape& shape) const {
    return header_.is_of(shape);
  }
  int plies() const { return static_cast<int>(header_.plies); }
  std::uint64_t positions() const { return header_.positions; }
  bool is_intact() const { return book::checksum(file_) == header_.checksum; }

  // Only for positions of the book; nothing when the score is one of those left out.
  std::optional<int> score(std::uint64_t canonical_key) const {
    unsigned code = 0;
    for (const std::uint64_t cell : book::cells_of(canonical_key, header_).at) {
      code ^= book::read_cell(file_.data() + sizeof header_, cell);
    }
    if (code == book::kNotStored) return std::nullopt;
    return static_cast<int>(code) + book::kLowest;
  }

 private:
  std::span<const std::uint8_t> file_;
  book::Header header_{};
};

// The stones of a key (see Stones::key).
template <class Shape>
Stones<Shape> stones_of_key(const Shape& shape, std::uint64_t key) {
  using Word = typename Shape::Word;
  Stones<Shape> stones;
  const int height = shape.rows + 1;
  const std::uint64_t column_bits = height < 64 ? (std::uint64_t{1} << height) - 1 : ~std::uint64_t{0};
  for (int column = 0; column < shape.columns; ++column) {
    const std::uint64_t sum = key >> (column * height) & column_bits;
    const std::uint64_t mask = (std::uint64_t{1} << (std::bit_width(sum + 1) - 1)) - 1;
    stones.mask |= static_cast<Word>(mask) << (column * height);
    stones.mine |= static_cast<Word>(sum - mask) << (column * height);
  }
  return stones;
}

template <class Shape>
bool has_win_at_hand(const Shape& shape, const Stones<Shape>& stones) {
  return (winning_cells(shape, stones.mine, stones.mask) & landing_cells(shape, stones.mask)) != 0;
}

template <class Shape>
std::uint64_t book_key(const Shape& shape, const Stones<Shape>& stones) {
  return static_cast<std::uint64_t>(canonical_key(shape, stones));
}

// The canonical keys of all unfinished positions one ply later, in order; `keys` are those of one ply.
template <class Shape>
std::vector<std::uint64_t> next_layer(const Shape& shape, std::span<const std::uint64_t> keys) {
  std::vector<std::uint64_t> next;
  for (const std::uint64_t key : keys) {
    const auto stones = stones_of_key(shape, key);
    for (auto left = landing_cells(shape, stones.mask); left; left &= left - 1) {
      const auto child = stones.play(lowest_bit(left));
      if (!child.is_won(shape)) next.push_back(book_key(shape, child));
    }
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  return next;
}

// The scores of positions of one ply, each that of its best move. `next` are the positions of the next ply
// that have no win at hand, in order, and `next_scores` theirs.
template <class Shape>
std::vector<std::int8_t> back_up(const Shape& shape, std::span<const std::uint64_t> keys,
                                 std::span<const std::uint64_t> next,
                                 std::span<const std::int8_t> next_scores) {
  const int cells = shape.columns * shape.rows;
  std::vector<std::int8_t> scores;
  scores.reserve(keys.size());
  for (const std::uint64_t key : keys) {
    const auto stones = stones_of_key(shape, key);
    int best = -cells;
    for (auto left = landing_cells(shape, stones.mask); left; left &= left - 1) {
      const auto child = stones.play(lowest_bit(left));
      int score = (cells + 1 - child.ply()) / 2;  // of a win at hand
      if (!has_win_at_hand(shape, child)) {
        const std::uint64_t wanted = book_key(shape, child);
        const auto at = std::lower_bound(next.begin(), next.end(), wanted);
        if (at == next.end() || *at != wanted) throw std::invalid_argument("the next ply is not complete");
        score = next_scores[static_cast<std::size_t>(at - next.begin())];
      }
      best = std::max(best, -score);
    }
    scores.push_back(static_cast<std::int8_t>(best));
  }
  return scores;
}

// The book whose deepest layer has these scores, in the order of its keys without a win at hand. The score of
// any other position is that of its best move.
template <class Shape, class Heartbeat>
std::vector<std::uint8_t> assemble_book(const Shape& shape, int plies, std::span<const std::int8_t> deepest,
                                        Heartbeat heartbeat) {
  std::vector<std::vector<std::uint64_t>> layers = {{0}};
  for (int ply = 0; ply < plies; ++ply) {
    layers.push_back(next_layer(shape, std::span<const std::uint64_t>(layers.back())));
    heartbeat();
  }
  for (auto& layer : layers) {
    std::erase_if(layer,
                  [&](std::uint64_t key) { return has_win_at_hand(shape, stones_of_key(shape, key)); });
  }
  if (deepest.size() != layers.back().size()) {
    throw std::invalid_argument("scores: ply " + std::to_string(plies) + " has " +
                                std::to_string(layers.back().size()) + " positions, not " +
                                std::to_string(deepest.size()));
  }
  std::vector<std::uint64_t> keys = layers.back();
  std::vector<std::int8_t> scores(deepest.begin(), deepest.end());
  std::vector<std::int8_t> below = scores;
  for (int ply = plies - 1; ply >= 0; --ply) {
    std::vector<std::int8_t> layer = back_up<Shape>(shape, layers[ply], layers[ply + 1], below);
    keys.insert(keys.end(), layers[ply].begin(), layers[ply].end());
    scores.insert(scores.end(), layer.begin(), layer.end());
    below = std::move(layer);
    heartbeat();
  }
  return make_book(book::Header::version_for(shape), plies, keys, scores);
}

// Takes stones off the top, the last mover's first, wherever there is one, from bit `from` on: one of a
// few tries nearly always ends with an empty board.
inline bool is_taken_apart(std::uint64_t mine, std::uint64_t mask, int from) {
  std::uint64_t left = mask, movers = mine ^ mask;
  while (left) {
    const std::uint64_t tops = (left & ~(left >> 1)) & movers;
    if (!tops) return false;
    const std::uint64_t later = tops & (~std::uint64_t{0} << from);
    left ^= lowest_bit(later ? later : tops);
    movers ^= mask;
  }
  return true;
}

// Whether some order of moves leads to these stones, none of which form a line. The state is how much of each
// column is still there. One function for all boards: only words of 64 bits have books.
inline bool is_reachable(int columns, int height, std::uint64_t mine, std::uint64_t mask) {
  for (int from = 0; from < columns; from += 2) {
    if (is_taken_apart(mine, mask, from * height)) return true;
  }
  std::vector<std::uint64_t> open = {mask}, next;
  std::uint64_t movers = mine ^ mask;  // the stones of the side that made the last of the moves left
  for (int ply = popcount(mask); ply > 0; --ply, movers ^= mask) {
    next.clear();
    for (const std::uint64_t state : open) {
      const std::uint64_t tops = (state & ~(state >> 1)) & movers;
      for (std::uint64_t left = tops; left; left &= left - 1) next.push_back(state ^ lowest_bit(left));
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    if (next.empty()) return false;
    open.swap(next);
  }
  return true;
}

}  // namespace claimeven
