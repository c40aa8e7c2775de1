// The exact solver under AddressSanitizer and UndefinedBehaviorSanitizer: random positions of every kind of
// board against plain minimax, limits of every size, tables that grow, are cleared and run out of
// generations.
#include "solver/solver.hpp"

#include <map>
#include <random>

#include "check.hpp"

namespace {

using namespace claimeven;

template <class Shape>
int plain_score(const Shape& shape, const Stones<Shape>& stones, std::map<typename Shape::Word, int>& known) {
  using Word = typename Shape::Word;
  const int cells = shape.columns * shape.rows, ply = stones.ply();
  if (stones.is_won(shape)) return -((cells + 2 - ply) / 2);
  if (const auto found = known.find(stones.key()); found != known.end()) return found->second;
  int score = ply == cells ? 0 : -cells;
  for (Word left = landing_cells(shape, stones.mask); left; left &= left - 1) {
    score = std::max(score, -plain_score(shape, stones.play(lowest_bit(left)), known));
  }
  return known[stones.key()] = score;
}

// A position of a random game with at most so many empty cells; it may be over.
template <class Shape>
Stones<Shape> random_position(const Shape& shape, int most_empties, std::mt19937& random) {
  const int cells = shape.columns * shape.rows;
  const int empties = std::min(cells, static_cast<int>(random() % static_cast<unsigned>(most_empties + 1)));
  for (;;) {
    Stones<Shape> stones;
    while (cells - stones.ply() > empties && !stones.is_won(shape)) {
      auto moves = landing_cells(shape, stones.mask);
      const auto quiet = moves & ~winning_cells(shape, stones.mine, stones.mask);
      if (quiet && random() % 8) moves = quiet;
      for (auto skip = random() % static_cast<unsigned>(popcount(moves)); skip; --skip) moves &= moves - 1;
      stones = stones.play(lowest_bit(moves));
    }
    if (cells - stones.ply() <= most_empties) return stones;
  }
}

template <class Shape>
void check_line(const Shape& shape, Stones<Shape> stones, int score, const Analysis& analysis) {
  const int cells = shape.columns * shape.rows, side = stones.ply() % 2;
  for (const int column : analysis.line) {
    CHECK(!stones.is_won(shape));
    const auto landing = landing_cells(shape, stones.mask) & column_cells(shape, column);
    CHECK(landing != 0);
    stones = stones.play(landing);
  }
  if (score == 0) {
    CHECK(stones.ply() == cells && !stones.is_won(shape));
  } else {
    CHECK(stones.is_won(shape) && (cells + 2 - stones.ply()) / 2 == std::abs(score));
    CHECK((stones.ply() % 2 != side) == (score > 0));  // the winner has just moved
  }
}

template <class Shape>
void check_board(const Shape& shape, int most_empties, int positions, std::mt19937& random) {
  Solver<Shape> solver(shape, std::size_t{1} << 20, 1);
  for (int i = 0; i < positions; ++i) {
    const auto stones = random_position(shape, most_empties, random);
    std::map<typename Shape::Word, int> known;
    const int score = plain_score(shape, stones, known);
    if (i % 3 == 0) solver.clear();
    Limit free;
    const Bounds exact = solver.solve(stones, Goal::kScore, free);
    CHECK(exact.lower == score && exact.upper == score);
    const Bounds outcome = solver.solve(stones, Goal::kOutcome, free);
    CHECK(outcome.lower <= score && score <= outcome.upper);
    CHECK(outcome.is_exact() || outcome.lower > 0 || outcome.upper < 0);

    const Analysis analysis = solver.analyse(stones, free);
    int best = -kNoBound;
    for (const Column& column : analysis.columns) {
      CHECK(column.bounds.is_exact());
      best = std::max(best, column.bounds.lower);
    }
    if (analysis.columns.empty()) {
      CHECK(stones.is_won(shape) || stones.mask == shape.full);
    } else {
      CHECK(best == score);
      check_line(shape, stones, score, analysis);
    }
    for (const std::uint64_t nodes : {0, 1, 3, 10, 40}) {
      solver.clear();
      Limit few(nodes);
      const Bounds bounds = solver.solve(stones, Goal::kScore, few);
      CHECK(bounds.lower <= score && score <= bounds.upper && few.nodes() <= nodes + 1);
      Limit depth;
      const Bounds shallow = solver.solve(stones, Goal::kScore, depth, static_cast<int>(nodes));
      CHECK(shallow.lower <= score && score <= shallow.upper);
    }
  }
}

// One wish to stop ends the whole analysis, not only the column in work.
void check_stop() {
  const FixedShape<7, 6, 4> shape{};
  Solver<FixedShape<7, 6, 4>> solver(shape, std::size_t{1} << 20, 1);
  Limit limit;
  int beats = 0;
  limit.heartbeat = [&beats](std::uint64_t) { return ++beats == 1; };
  const Analysis analysis = solver.analyse({}, limit);
  CHECK(beats == 1 && analysis.columns.size() == 7 && analysis.line.empty());
}

template <class Shape>
Stones<Shape> position_of(const Shape& shape, std::string_view moves) {
  Stones<Shape> stones;
  for (const char digit : moves) {
    stones = stones.play(landing_cells(shape, stones.mask) & column_cells(shape, digit - '1'));
  }
  return stones;
}

// Positions of P. Pons' sets that take enough nodes to make the tables grow and overflow.
void check_tables(bool is_long) {
  using Shape = FixedShape<7, 6, 4>;
  const Shape shape{};
  const std::pair<const char*, int> positions[] = {{"2252576253462244111563365343671351441", -1},
                                                   {"5554224333234511764415115", 4},
                                                   {"32164625", 11},
                                                   {"274552224131661", 0},
                                                   {"5455174361263362", -1},
                                                   {"32751571231557", -3}};
  for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{64} << 20}) {
    Solver<Shape> solver(shape, bytes, 1);
    for (const auto& [moves, score] : positions) {
      Limit limit;
      const Bounds bounds = solver.solve(position_of(shape, moves), Goal::kScore, limit);
      CHECK(bounds.lower == score && bounds.upper == score);
    }
    // More generations than an entry has bits for.
    const auto stones = position_of(shape, positions[1].first);
    std::uint64_t nodes = 0;
    for (int i = 0; i < (is_long ? 3000 : 600); ++i) {
      solver.clear();
      Limit limit;
      CHECK(solver.solve(stones, Goal::kScore, limit).lower == positions[1].second);
      CHECK(nodes == 0 || nodes == limit.nodes());  // a cleared table is like a new one
      nodes = limit.nodes();
    }
  }
}

// What a table knows of a key is what was last written for it, whatever else it holds; and nothing of what
// was before it was cleared, through more generations than an entry has bits for.
template <class Entry, class Key>
void check_entries(int bits, int most, int rounds, std::mt19937& random) {
  Table<Entry, Key> table(std::size_t{1} << 20);
  const auto within = [&random](int least, int greatest) {
    return least + static_cast<int>(random() % static_cast<unsigned>(greatest - least + 1));
  };
  for (int round = 0; round < rounds; ++round) {
    std::map<Key, Known> written;
    std::vector<Key> keys;
    for (int i = 0; i < 50; ++i) {
      Key key = 0;
      for (int word = 0; word < 4; ++word) key = static_cast<Key>(key << 31) ^ random();
      keys.push_back(key & (~Key{0} >> (static_cast<int>(sizeof(Key)) * 8 - bits)));
      Known known;
      CHECK(!table.read(keys.back(), known));
    }
    for (int i = 0; i < 200; ++i) {
      const Key key = keys[random() % keys.size()];
      const int lower = i % 8 ? within(-most, most) : -most, upper = i % 5 ? within(lower, most) : most;
      written[key] = {lower, upper, random() % 8 ? within(0, 6) : kNoMove};
      table.write(key, written[key], random() >> random() % 32);
    }
    int found = 0;
    for (const auto& [key, known] : written) {
      Known read{};
      if (!table.read(key, read)) continue;
      ++found;
      CHECK(read.lower == known.lower && read.upper == known.upper && read.move == known.move);
    }
    CHECK(found > static_cast<int>(written.size()) / 2);
    int kept = 0;
    table.each([&](Key mix, const Known& read, int) {
      ++kept;
      const auto is_it = [&](const auto& one) {
        return Entry::mixed(one.first) == mix && one.second.lower == read.lower &&
               one.second.upper == read.upper && one.second.move == read.move;
      };
      CHECK(std::any_of(written.begin(), written.end(), is_it));
    });
    CHECK(kept == found);
    table.clear();
  }
}

// Eight wide words side by side do what one does, shifts over the middle and carries through it too.
void check_wide_lanes(std::mt19937& random) {
  const auto word = [&random] {
    Word128 result = 0;
    for (int i = 0; i < 4; ++i) result = result << 32 | random();
    // Long runs of ones and zeros carry and borrow from one half to the other.
    return random() % 3   ? result
           : random() % 2 ? Word128{1} << (random() % 128)
                          : ~Word128{0} >> (random() % 128);
  };
  for (int round = 0; round < 500; ++round) {
    Lanes128 a{}, b{};
    Word128 one[kLanes], other[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      a[i] = one[i] = word();
      b[i] = other[i] = random() % 4 ? word() : one[i];
    }
    const Word128 all = word();
    const int shift = static_cast<int>(random() % 128);
    const Lanes64 counts = popcounts(a);
    const unsigned zeros = zero_lanes(a ^ b);
    const Lanes128 smaller = smaller_of(a, b), chosen = where_zero(a ^ b, a, ~b);
    const auto same = [](const Lanes128& lanes, int i, Word128 expected) { CHECK(lanes[i] == expected); };
    for (int i = 0; i < kLanes; ++i) {
      same(~a, i, ~one[i]);
      same(a & b, i, one[i] & other[i]);
      same(a | all, i, one[i] | all);
      same(all ^ b, i, all ^ other[i]);
      same(a + b, i, one[i] + other[i]);
      same(a + all, i, one[i] + all);
      same(a - b, i, one[i] - other[i]);
      same(a - Word128{1}, i, one[i] - 1);
      same(all - b, i, all - other[i]);
      same(a << shift, i, one[i] << shift);
      same(a >> shift, i, one[i] >> shift);
      same(smaller, i, std::min(one[i], other[i]));
      same(chosen, i, one[i] == other[i] ? one[i] : ~other[i]);
      CHECK(counts[i] == static_cast<Word64>(popcount(one[i])));
      CHECK((zeros >> i & 1) == (one[i] == other[i]));
    }
  }
}

// Lines and lowest bits: lanes beside a word, and four in a row spelled out beside any number.
template <class Word>
void check_lines(int columns, int rows, std::mt19937& random) {
  const FourShape<Word> shape{columns, rows};
  const AnyShape<Word> any{columns, rows, 4};
  const auto some = [&random] {
    Word result = 0;
    for (std::size_t i = 0; i < sizeof(Word) / 4; ++i) result = result << 16 << 16 | random();
    return result;
  };
  for (int round = 0; round < 200; ++round) {
    LanesOf<Word> stones{}, mask{};
    Word stone[kLanes], masked[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      stones[i] = stone[i] = shape.full & (some() | (random() % 2 ? some() : 0));
      mask[i] = masked[i] = shape.full & (stone[i] | (some() & some()));
    }
    const LanesOf<Word> starts = line_starts(shape, stones), wins = winning_cells(shape, stones, mask);
    for (int i = 0; i < kLanes; ++i) {
      CHECK(Word(starts[i]) == line_starts(any, stone[i]));
      CHECK(line_starts(shape, stone[i]) == line_starts(any, stone[i]));
      CHECK(Word(wins[i]) == winning_cells(any, stone[i], masked[i]));
      CHECK(winning_cells(shape, stone[i], masked[i]) == winning_cells(any, stone[i], masked[i]));
    }
    Word left = stone[0] & (round % 2 ? shape.bottom : some());
    for (Word expected = left; left;) {
      const LanesOf<Word> bits = lowest_bits(left);
      for (int i = 0; i < kLanes; ++i, expected &= expected - 1) CHECK(Word(bits[i]) == lowest_bit(expected));
      CHECK(left == expected);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::mt19937 random(20240607);
  check_wide_lanes(random);
  check_lines<Word64>(9, 6, random);
  check_lines<Word64>(4, 15, random);
  check_lines<Word128>(12, 6, random);
  check_lines<Word128>(18, 6, random);
  check_lines<Word128>(4, kMostFourRows, random);
  check_entries<PackedEntry, Word64>(PackedEntry::kKeyBits, 21, 600, random);
  check_entries<CheckedEntry, Word64>(64, 32, 600, random);
  check_entries<WideEntry, Word128>(128, 63, 600, random);
  const int positions = is_long(argc, argv) ? 1000 : 100;
  const auto check = [&](int columns, int rows, int connect, int empties) {
    with_shape(columns, rows, connect,
               [&](const auto& shape) { check_board(shape, empties, positions, random); });
  };
  check(1, 1, 1, 1);
  check(1, 1, 4, 1);
  check(2, 2, 2, 4);
  check(3, 3, 3, 9);
  check(4, 3, 3, 12);
  check(3, 5, 4, 12);
  check(4, 4, 3, 12);
  check(5, 4, 9, 9);
  check(9, 3, 3, 9);
  check(12, 2, 3, 9);
  check(35, 1, 4, 10);
  check(1, 63, 4, 20);
  check(9, 7, 4, 9);   // 72 bits
  check(8, 7, 4, 9);   // 64 bits exactly
  check(20, 5, 4, 9);  // three batches of children, 120 bits
  check(16, 7, 5, 9);  // 128 bits exactly
  check(4, 31, 4, 9);  // 128 bits, too high for a shape of fours
  check(1, 127, 4, 20);
  check(7, 6, 4, 11);
  check(7, 6, 3, 10);
  check_tables(is_long(argc, argv));
  check_stop();
}
