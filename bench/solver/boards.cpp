// One empty board on many threads with a large table, in as many sittings as it takes; for machines that have
// a compiler and nothing else:
//   g++ -std=gnu++20 -O3 -march=native -Wno-psabi -pthread -Inative bench/solver/boards.cpp -o build/boards
//   build/boards COLUMNS ROWS THREADS MEGABYTES FILE SECONDS [GUESS]
// It tells every 20 seconds what is proved, keeps in FILE every four minutes what took most work, and goes
// on from there when it is started again; after SECONDS it keeps that and ends. With - for FILE nothing is
// kept: a table of many GB takes longer to write than its four minutes. A GUESS of the score is asked for
// first, that it is no less before that it is no more: with -1, which is right, 8x4 takes 21 % fewer nodes
// and 9x4 12 %; a wrong one only costs time.
// At the end it prints a line for docs/data/boards.jsonl; its seconds are the processor's, as those of
// bench/solver/boards.py.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>

#include "board/checked.hpp"
#include "solver/solver.hpp"
#include "solver/table_file.hpp"

using namespace claimeven;

constexpr double kTellSeconds = 20, kSaveSeconds = 240;
constexpr int kKept = 5;  // of the work an entry took: 512 nodes and more

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Shape>
class Sitting {
 public:
  Sitting(const Shape& shape, int threads, std::size_t megabytes, const std::string& file, double seconds)
      : shape_(shape),
        solver_(shape, megabytes << 20, threads),
        threads_(threads),
        file_(file),
        end_(begun_ + seconds) {
    if (!is_kept() || !std::filesystem::exists(file)) return;
    TableFile saved(file, "rb");
    before_ = saved.header();
    saved.read(before_, shape, solver_.table());
    std::printf("goes on after %.3e nodes and %.0f processor seconds\n", static_cast<double>(before_.nodes),
                before_.seconds);
  }

  // Whether the board is solved.
  bool solve(std::optional<int> guess) {
    Bounds bounds{-kNoBound, kNoBound};
    do {
      if (is_over()) return false;
      work([&](Limit& limit) {
        if (guess && bounds.lower < *guess && bounds.upper >= *guess) {
          solver_.ask({}, *guess - 1, limit, bounds);
        } else if (guess && bounds.lower <= *guess && bounds.upper > *guess) {
          solver_.ask({}, *guess, limit, bounds);
        } else {
          bounds = solver_.solve({}, Goal::kScore, limit);
        }
      });
      std::printf("score %d to %d, %.4e nodes, %.0f s, %.0f s of the processor\n", bounds.lower, bounds.upper,
                  static_cast<double>(nodes()), clock_seconds() - begun_, processor());
      std::fflush(stdout);
    } while (!bounds.is_exact());
    const std::uint64_t spent_nodes = nodes();
    const double spent = processor();
    const int score = bounds.lower, cells = shape_.columns * shape_.rows;
    const int last = score == 0  ? cells
                     : score > 0 ? cells + 1 - 2 * score + cells % 2
                                 : cells + 2 * (score + 1) - cells % 2;
    std::string line;
    do {
      if (is_over()) return false;
      work([&](Limit& limit) { line = text(solver_.line({}, score, limit, true)); });
      std::printf("best play %s\n", line.c_str());
      std::fflush(stdout);
    } while (static_cast<int>(line.size()) < last);
    std::printf(
        "{\"board\": \"%dx%d\", \"value\": %d, \"last_ply\": %d, \"nodes\": %llu, \"seconds\": %.2f, "
        "\"line\": \"%s\", \"threads\": %d}\n",
        shape_.columns, shape_.rows, score, last, static_cast<unsigned long long>(spent_nodes), spent,
        line.c_str(), threads_);
    return true;
  }

 private:
  std::uint64_t nodes() const { return before_.nodes + nodes_; }
  double processor() const { return before_.seconds + processor_seconds(); }
  bool is_kept() const { return file_ != "-"; }
  bool is_over() const { return clock_seconds() >= end_; }

  // A part of the work; what it found is saved where it is time.
  template <class Part>
  void work(Part part) {
    Limit limit;
    limit.end_after(std::min(kTellSeconds, end_ - clock_seconds()));
    part(limit);
    nodes_ += limit.nodes();
    if (!is_kept() || (clock_seconds() < saved_ + kSaveSeconds && !is_over())) return;
    TableHeader header{};
    header.nodes = nodes();
    header.seconds = processor();
    save_table(file_, header, shape_, solver_.table(), kKept);
    saved_ = clock_seconds();
    std::printf("saved: %ju bytes\n", static_cast<std::uintmax_t>(std::filesystem::file_size(file_)));
  }

  static std::string text(const std::vector<int>& columns) {
    std::string found;
    for (const int column : columns) found += static_cast<char>(column < 9 ? '1' + column : 'a' + column - 9);
    return found;
  }

  const Shape shape_;
  Solver<Shape> solver_;
  const int threads_;
  const std::string file_;
  const double begun_ = clock_seconds(), end_;
  double saved_ = begun_;
  TableHeader before_{};
  std::uint64_t nodes_ = 0;
};

int main(int argc, char** argv) {
  if (argc != 7 && argc != 8) {
    return std::puts("boards COLUMNS ROWS THREADS MEGABYTES FILE SECONDS [GUESS]"), 2;
  }
  const double seconds = std::atof(argv[6]);
  const auto guess = argc == 8 ? std::optional(std::atoi(argv[7])) : std::nullopt;
  const bool is_solved = with_checked_shape(std::atoi(argv[1]), std::atoi(argv[2]), 4, [&](auto shape) {
    return Sitting(shape, std::atoi(argv[3]), std::strtoull(argv[4], nullptr, 10), argv[5], seconds)
        .solve(guess);
  });
  if (!is_solved)
    std::puts(std::string(argv[5]) == "-" ? "not finished"
                                          : "not finished: the same command goes on from here");
  return 0;
}
