// sanitizer: none
// The parity theorems against the truth: every reachable position of small boards is solved by plain
// retrograde minimax, without any theorem, and no bound may be below its score. Boards too large for that are
// tried on late positions of random games.
//
// Arguments: short, long, or boards like 5x4x4. Prints how often each theorem was the best one.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "board/board.hpp"
#include "check.hpp"
#include "solver/pairing.hpp"

namespace {

using namespace claimeven;

constexpr int kLowest = -100;

struct Counts {
  std::uint64_t positions = 0, best[5] = {};  // best[n]: Tn gave the lowest bound; best[0]: none did
  std::uint64_t exact = 0;                    // the bound was the score
};

// The stones of a key: in each column key + 1 is 2^height + the bits of mine.
template <class Shape>
Stones<Shape> stones_of(const Shape& shape, typename Shape::Word key) {
  using Word = typename Shape::Word;
  Stones<Shape> stones;
  for (int column = 0; column < shape.columns; ++column) {
    const int shift = column * (shape.rows + 1);
    const Word sum = ((key >> shift) & ((Word{1} << (shape.rows + 1)) - 1)) + 1;
    int height = shape.rows;
    while (!(sum >> height & 1)) --height;
    stones.mine |= (sum ^ (Word{1} << height)) << shift;
    stones.mask |= ((Word{1} << height) - 1) << shift;
  }
  return stones;
}

template <class Shape>
int win_score(const Shape& shape, int ply) {  // of a side that wins with its next stone
  return (shape.columns * shape.rows + 1 - ply) / 2;
}

// Up to eight positions of one ply with their scores: asks for bounds the way the search does, for every
// limit of usefulness.
template <class Shape>
class Judge {
 public:
  using Word = typename Shape::Word;

  explicit Judge(const Shape& shape) : shape_(shape) {}

  void add(const Stones<Shape>& stones, int score, int weight) {
    CHECK(count_ == 0 || stones.ply() == ply_);
    ply_ = stones.ply();
    score_[count_] = score;
    weight_[count_] = weight;
    follower_[count_] = stones.theirs();
    mask_[count_] = stones.mask;
    wins_[count_] = winning_cells(shape_, stones.theirs(), stones.mask);
    landings_[count_] = landing_cells(shape_, stones.mask);
    if (++count_ == kLanes) judge();
  }

  void judge() {
    const bool is_even = (shape_.columns * shape_.rows - ply_) % 2 == 0;
    const unsigned wanted = (1u << count_) - 1;
    int best[kLanes];
    std::fill(best, best + kLanes, kNoBound);
    for (int useful = 0; useful >= -shape_.rows; --useful) {
      int bound[kLanes];
      std::fill(bound, bound + kLanes, kNoBound);
      pairing_bounds(shape_, follower_, mask_, wins_, landings_, is_even, wanted, useful, bound);
      for (int i = 0; i < kLanes; ++i) {
        CHECK(bound[i] == kNoBound || (i < count_ && bound[i] <= useful));
        best[i] = std::min(best[i], bound[i]);
      }
    }
    for (int i = 0; i < count_; ++i) {
      if (best[i] < score_[i]) complain(i, best[i]);
      const Word claimed = shape_.claim & ~shape_.bottom & ~mask_[i] & ~(mask_[i] << 1);
      int theorem = 0;
      if (best[i] != kNoBound) theorem = !is_even ? 4 : (wins_[i] & claimed) ? 3 : best[i] < 0 ? 2 : 1;
      counts.best[theorem] += weight_[i];
      counts.positions += weight_[i];
      if (best[i] == score_[i]) counts.exact += weight_[i];
    }
    count_ = 0;
    follower_ = mask_ = wins_ = landings_ = Lanes{};
  }

  Counts counts;

 private:
  using Lanes = LanesOf<Word>;

  void complain(int i, int bound) const {
    std::fprintf(stderr, "%dx%dx%d: bound %d, score %d\n", shape_.columns, shape_.rows, shape_.connect, bound,
                 score_[i]);
    for (int row = shape_.rows - 1; row >= 0; --row) {
      for (int column = 0; column < shape_.columns; ++column) {
        const Word cell = Word{1} << (column * (shape_.rows + 1) + row);
        std::fputc(!(mask_[i] & cell) ? '.' : (follower_[i] & cell) ? 'F' : 'M', stderr);
      }
      std::fputc('\n', stderr);
    }
    CHECK(false);
  }

  const Shape shape_;
  int count_ = 0, ply_ = 0;
  int score_[kLanes], weight_[kLanes];
  Lanes follower_{}, mask_{}, wins_{}, landings_{};
};

template <class Shape>
Counts check_all(const Shape& shape) {
  using Word = typename Shape::Word;
  const int cells = shape.columns * shape.rows;
  // The positions that are not won, one of each mirror pair, ply by ply and in order.
  std::vector<std::vector<Word>> layers = {{0}};
  for (int ply = 0; ply < cells; ++ply) {
    std::vector<Word> next;
    for (const Word key : layers[ply]) {
      const auto stones = stones_of(shape, key);
      const Word wins = winning_cells(shape, stones.mine, stones.mask);
      for (Word left = landing_cells(shape, stones.mask) & ~wins; left; left &= left - 1) {
        next.push_back(canonical_key(shape, stones.play(lowest_bit(left))));
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layers.push_back(std::move(next));
  }
  // Back from the full boards, which are draws.
  std::vector<std::int8_t> after(layers[cells].size(), 0), now;
  Judge<Shape> judge(shape);
  for (int ply = cells - 1; ply >= 0; --ply) {
    now.clear();
    for (const Word key : layers[ply]) {
      const auto stones = stones_of(shape, key);
      const Word landings = landing_cells(shape, stones.mask);
      int score = kLowest;
      if (landings & winning_cells(shape, stones.mine, stones.mask)) {
        score = win_score(shape, ply);
      } else {
        for (Word left = landings; left; left &= left - 1) {
          const Word child = canonical_key(shape, stones.play(lowest_bit(left)));
          const auto found = std::lower_bound(layers[ply + 1].begin(), layers[ply + 1].end(), child);
          score = std::max(score, -after[static_cast<std::size_t>(found - layers[ply + 1].begin())]);
        }
      }
      now.push_back(static_cast<std::int8_t>(score));
      const bool is_symmetric = mirror(shape, stones).key() == stones.key();
      judge.add(stones, score, is_symmetric ? 1 : 2);
    }
    judge.judge();
    std::swap(now, after);
    layers.pop_back();
  }
  return judge.counts;
}

template <class Shape>
int plain_score(const Shape& shape, const Stones<Shape>& stones,
                std::unordered_map<std::string, int>& known) {
  using Word = typename Shape::Word;
  const Word landings = landing_cells(shape, stones.mask);
  if (!landings) return 0;
  if (landings & winning_cells(shape, stones.mine, stones.mask)) return win_score(shape, stones.ply());
  const Word key = stones.key();
  const std::string name(reinterpret_cast<const char*>(&key), sizeof(key));
  if (const auto found = known.find(name); found != known.end()) return found->second;
  int score = kLowest;
  for (Word left = landings; left; left &= left - 1) {
    score = std::max(score, -plain_score(shape, stones.play(lowest_bit(left)), known));
  }
  known[name] = score;
  return score;
}

// Positions with so many empty cells, from random games of players who never complete a line.
template <class Shape>
Counts check_late(const Shape& shape, int empties, int games, std::mt19937& random) {
  using Word = typename Shape::Word;
  Judge<Shape> judge(shape);
  std::unordered_map<std::string, int> known;
  for (int game = 0; game < games;) {
    Stones<Shape> stones;
    bool is_stuck = false;
    while (shape.columns * shape.rows - stones.ply() > empties) {
      Word moves = landing_cells(shape, stones.mask) & ~winning_cells(shape, stones.mine, stones.mask);
      is_stuck = !moves;
      if (is_stuck) break;
      for (auto skip = random() % static_cast<unsigned>(popcount(moves)); skip; --skip) moves &= moves - 1;
      stones = stones.play(lowest_bit(moves));
    }
    if (is_stuck) continue;
    ++game;
    known.clear();
    judge.add(stones, plain_score(shape, stones, known), 1);
  }
  judge.judge();
  return judge.counts;
}

void print(const std::string& board, const Counts& counts) {
  std::printf("%-9s %10llu positions", board.c_str(), static_cast<unsigned long long>(counts.positions));
  for (int theorem = 1; theorem <= 4; ++theorem) {
    std::printf("  T%d %8llu", theorem, static_cast<unsigned long long>(counts.best[theorem]));
  }
  std::printf("  exact %8llu\n", static_cast<unsigned long long>(counts.exact));
  std::fflush(stdout);
}

Counts run_all(const std::string& board) {
  int columns = 0, rows = 0, connect = 0;
  CHECK(std::sscanf(board.c_str(), "%dx%dx%d", &columns, &rows, &connect) == 3);
  const Counts counts =
      with_shape(columns, rows, connect, [](const auto& shape) { return check_all(shape); });
  print(board, counts);
  return counts;
}

template <class Shape>
void run_late(const Shape& shape, int empties, int games, std::mt19937& random) {
  char name[40];
  std::snprintf(name, sizeof(name), "%dx%dx%d-%d", shape.columns, shape.rows, shape.connect, empties);
  print(name, check_late(shape, empties, games, random));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && !is_long(argc, argv) && std::string_view(argv[1]) != "short") {
    for (int i = 1; i < argc; ++i) run_all(argv[i]);
    return 0;
  }
  // The numbers of positions are those of the oracles: the walk misses none.
  CHECK(run_all("4x4x4").positions == 134'289);
  CHECK(run_all("5x4x4").positions == 3'100'379);
  for (const char* board : {"4x4x3", "5x4x3", "4x5x3", "4x5x4", "5x3x3", "6x3x3", "3x6x3", "3x7x3", "3x7x4",
                            "8x2x3", "9x1x3", "1x9x3", "4x4x2", "3x3x5"}) {
    CHECK(run_all(board).positions > 0);
  }
  // The same code on 128-bit words gives the same counts.
  const Counts wide = check_all(AnyShape<Word128>{4, 4, 3});
  const Counts narrow = check_all(AnyShape<Word64>{4, 4, 3});
  CHECK(wide.positions == narrow.positions && wide.exact == narrow.exact &&
        std::equal(wide.best, wide.best + 5, narrow.best));

  std::mt19937 random(1988);
  const int games = is_long(argc, argv) ? 20000 : 1000;
  for (int empties = 2; empties <= 14; empties += 3) {
    run_late(FixedShape<7, 6, 4>{}, empties, games, random);
    run_late(FourShape<Word64>{7, 7}, empties, games, random);
    run_late(FourShape<Word128>{9, 8}, empties, games, random);
  }
  if (is_long(argc, argv)) {
    CHECK(run_all("4x6x4").positions == 12'043'483);
    for (const char* board :
         {"4x6x3", "5x5x3", "5x5x4", "6x4x3", "6x4x4", "3x8x3", "3x8x4", "7x3x3", "5x5x5"})
      run_all(board);
  }
}
