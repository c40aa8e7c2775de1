#include <fcntl.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <variant>

#include "python/bind.hpp"
#include "solver/solver.hpp"

namespace claimeven {
namespace {

// A book file mapped into memory.
class BookFile {
 public:
  explicit BookFile(const std::string& path) : mapping_(path), book_(mapping_.bytes) {}
  const Book& book() const { return book_; }
  std::size_t size() const { return mapping_.bytes.size(); }

 private:
  struct Mapping {
    std::span<const std::uint8_t> bytes;

    explicit Mapping(const std::string& path) {
      const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0) throw std::invalid_argument(std::strerror(errno));
      struct stat status{};
      fstat(file, &status);
      const auto size = static_cast<std::size_t>(status.st_size);
      if (size == 0) {  // what mmap refuses, Book refuses too, with a reason
        close(file);
        return;
      }
      void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
      close(file);
      if (memory == MAP_FAILED) throw std::invalid_argument("the file cannot be mapped");
      bytes = {static_cast<const std::uint8_t*>(memory), size};
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
      if (!bytes.empty()) munmap(const_cast<std::uint8_t*>(bytes.data()), bytes.size());
    }
  };

  Mapping mapping_;
  Book book_;
};

// Limits as they come from Python. `beat(nodes)` is called about fifty times a second and returns true to
// stop.
struct Limits {
  std::optional<std::uint64_t> nodes;
  std::optional<double> seconds;
  std::optional<int> depth;
  nb::object beat = nb::none();

  Control control() const {
    Control control(nodes.value_or(Control::kUnlimited));
    if (seconds) {
      if (!(*seconds > 0)) throw std::invalid_argument("seconds must be more than 0");
      const double bounded = std::min(*seconds, 1e9);
      control.deadline = Control::Clock::now() + std::chrono::duration_cast<Control::Clock::duration>(
                                                     std::chrono::duration<double>(bounded));
    }
    if (depth && *depth < 0) throw std::invalid_argument("depth must be at least 0");
    control.heartbeat = [callback = beat](std::uint64_t count) {
      const WithGil acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      return !callback.is_none() && nb::cast<bool>(callback(count));
    };
    return control;
  }
};

// One solver for all boards: it keeps the engine of the board it was last asked about.
class AnySolver {
 private:
  template <class Shape>
  using Engine = std::unique_ptr<Solver<Shape>>;

  template <class Shape>
  Solver<Shape>& engine_for(const Shape& shape, bool may_use_book) {
    auto* engine = std::get_if<Engine<Shape>>(&engine_);
    if (!engine || !*engine || (*engine)->shape().columns != shape.columns ||
        (*engine)->shape().rows != shape.rows || (*engine)->shape().connect != shape.connect) {
      engine_ = Engine<BookShape>();  // give the old one's memory back first
      engine =
          &engine_.template emplace<Engine<Shape>>(std::make_unique<Solver<Shape>>(shape, bytes_, threads_));
    }
    (*engine)->use_book(book_ && may_use_book ? &book_->book() : nullptr);
    return **engine;
  }

  template <class Action>
  auto with_engine(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
                   Action action) {
    const Word128 mine_word = word_of(mine, "mine"), mask_word = word_of(mask, "mask");
    return with_checked_shape(columns, rows, connect, [&](auto shape) {
      const auto stones = checked_stones(shape, mine_word, mask_word);
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      // The book knows only what a game can lead to; stones set up by hand need not be that.
      bool may_use_book = reached;
      if constexpr (std::is_same_v<decltype(shape), BookShape>) {
        if (book_ && !reached && stones.ply() <= book_->book().plies()) may_use_book = is_reachable(stones);
      }
      return action(engine_for(shape, may_use_book), stones);
    });
  }

  const int threads_;
  const std::size_t bytes_;
  const std::shared_ptr<BookFile> book_;
  std::mutex mutex_;
  std::variant<Engine<BookShape>, Engine<AnyShape<Word64>>, Engine<AnyShape<Word128>>> engine_;

 public:
  AnySolver(int threads, int megabytes, std::shared_ptr<BookFile> book)
      : threads_(threads), bytes_(static_cast<std::size_t>(megabytes) << 20), book_(std::move(book)) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads must be 1 to 1024");
    if (megabytes < 1 || megabytes > 1 << 20) throw std::invalid_argument("megabytes must be 1 to 1048576");
  }

  void clear() {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    std::visit(
        [](auto& engine) {
          if (engine) engine->clear();
        },
        engine_);
  }

  int score(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached) {
    Control control = Limits{}.control();
    const Bounds bounds = with_engine(
        columns, rows, connect, mine, mask, reached,
        [&](auto& engine, const auto& stones) { return engine.solve(stones, Goal::kScore, control); });
    return bounds.lower;
  }

  auto solve(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
             bool only_outcome, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
             std::optional<int> depth, nb::object beat) {
    const Limits limits{nodes, seconds, depth, std::move(beat)};
    Control control = limits.control();
    const Bounds bounds =
        with_engine(columns, rows, connect, mine, mask, reached, [&](auto& engine, const auto& stones) {
          return engine.solve(stones, only_outcome ? Goal::kOutcome : Goal::kScore, control,
                              limits.depth.value_or(engine.kUnlimitedDepth));
        });
    return std::tuple(bounds.lower, bounds.upper, control.nodes());
  }

  auto analyse(int columns, int rows, int connect, nb::int_ mine, nb::int_ mask, bool reached,
               std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::optional<int> depth,
               nb::object beat) {
    const Limits limits{nodes, seconds, depth, std::move(beat)};
    Control control = limits.control();
    const Analysis analysis =
        with_engine(columns, rows, connect, mine, mask, reached, [&](auto& engine, const auto& stones) {
          return engine.analyse(stones, control, limits.depth.value_or(engine.kUnlimitedDepth));
        });
    std::vector<std::tuple<int, int, int>> columns_of_bounds;
    for (const Column& column : analysis.columns) {
      columns_of_bounds.emplace_back(column.column, column.bounds.lower, column.bounds.upper);
    }
    return std::tuple(columns_of_bounds, analysis.line, control.nodes());
  }

  // Positions as two arrays of words, each of 8 or 16 bytes; scores as one signed byte each.
  nb::bytes scores(int columns, int rows, int connect, nb::bytes mine, nb::bytes mask, bool only_outcome,
                   bool reached, nb::object beat) {
    return with_checked_shape(columns, rows, connect, [&](auto shape) {
      using Word = typename decltype(shape)::Word;
      if (mine.size() != mask.size() || mine.size() % sizeof(Word)) {
        throw std::invalid_argument("mine and mask must be arrays of the same length");
      }
      std::vector<Stones<decltype(shape)>> positions(mine.size() / sizeof(Word));
      for (std::size_t i = 0; i < positions.size(); ++i) {
        Word words[2];
        std::memcpy(&words[0], mine.c_str() + i * sizeof(Word), sizeof(Word));
        std::memcpy(&words[1], mask.c_str() + i * sizeof(Word), sizeof(Word));
        positions[i] = checked_stones(shape, words[0], words[1]);
      }
      Limits limits;
      limits.beat = std::move(beat);
      Control control = limits.control();
      std::string scores;
      {
        const WithoutGil release;
        const std::lock_guard lock(mutex_);
        scores.resize(positions.size());
        const auto solve = [&](const auto& chosen, bool may_use_book, auto place) {
          std::vector<Bounds> bounds;
          engine_for(shape, may_use_book)
              .solve_all(chosen, only_outcome ? Goal::kOutcome : Goal::kScore, bounds, control);
          for (std::size_t i = 0; i < bounds.size(); ++i) {
            const Bounds& bound = bounds[i];
            const int value = bound.lower > 0 || bound.is_exact() ? bound.lower : bound.upper;
            scores[place(i)] = static_cast<char>(value);
          }
        };
        // The book knows only what a game can lead to: the others are solved apart, without it.
        std::vector<std::size_t> apart;
        if constexpr (std::is_same_v<decltype(shape), BookShape>) {
          for (std::size_t i = 0; book_ && !reached && i < positions.size(); ++i) {
            if (positions[i].ply() <= book_->book().plies() && !is_reachable(positions[i]))
              apart.push_back(i);
          }
        }
        if (!apart.empty()) {
          std::vector<Stones<decltype(shape)>> chosen;
          for (const std::size_t i : apart) chosen.push_back(positions[i]);
          solve(chosen, false, [&](std::size_t i) { return apart[i]; });
          for (const std::size_t i : apart) positions[i] = {};  // the start is soon answered
        }
        const std::string kept = scores;
        solve(positions, true, [](std::size_t i) { return i; });
        for (const std::size_t i : apart) scores[i] = kept[i];
      }
      return nb::bytes(scores.data(), scores.size());
    });
  }
};

std::span<const std::uint64_t> keys_of(const nb::bytes& keys) {
  if (keys.size() % sizeof(std::uint64_t))
    throw std::invalid_argument("keys must be an array of 8-byte words");
  return {reinterpret_cast<const std::uint64_t*>(keys.c_str()), keys.size() / sizeof(std::uint64_t)};
}

template <class Element>
nb::bytes bytes_of(const std::vector<Element>& elements) {
  return nb::bytes(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element));
}

// Keys of the positions of one ply that belong in a book, in order.
nb::bytes book_layer(int ply) {
  if (ply < 0 || ply > book::kMaxPlies) throw std::invalid_argument("ply must be 0 to 16");
  std::vector<std::uint64_t> keys = {0};
  {
    const WithoutGil release;
    for (int i = 0; i < ply; ++i) {
      keys = next_layer(keys);
      check_signals();
    }
    std::erase_if(keys, [](std::uint64_t key) { return has_win_at_hand(stones_of_key(key)); });
  }
  return bytes_of(keys);
}

// The two words of every position, as Solver.scores takes them.
std::tuple<nb::bytes, nb::bytes> stones_of_keys(nb::bytes keys) {
  std::vector<Word64> mine, mask;
  for (const std::uint64_t key : keys_of(keys)) {
    const auto stones = stones_of_key(key);
    mine.push_back(stones.mine);
    mask.push_back(stones.mask);
  }
  return {bytes_of(mine), bytes_of(mask)};
}

std::span<const std::int8_t> scores_of(const nb::bytes& scores) {
  return {reinterpret_cast<const std::int8_t*>(scores.c_str()), scores.size()};
}

nb::bytes back_up_layer(nb::bytes keys, nb::bytes next, nb::bytes next_scores) {
  const auto from = keys_of(keys), to = keys_of(next);
  const auto scores = scores_of(next_scores);
  if (to.size() != scores.size()) throw std::invalid_argument("next_scores must be one per key of next");
  std::vector<std::int8_t> best;
  {
    const WithoutGil release;
    best = back_up(from, to, scores);
  }
  return bytes_of(best);
}

// The book file for the scores of its deepest layer: all shallower positions follow by taking the best child.
nb::bytes make_book_file(int plies, nb::bytes scores) {
  if (plies < 0 || plies > book::kMaxPlies) throw std::invalid_argument("plies must be 0 to 16");
  const auto deepest = scores_of(scores);
  std::vector<std::uint8_t> file;
  {
    const WithoutGil release;
    file = assemble_book(plies, deepest, check_signals);
  }
  return bytes_of(file);
}

nb::bytes book_scores(const BookFile& file, nb::bytes keys) {
  std::string scores;
  for (const std::uint64_t key : keys_of(keys)) {
    const auto score = file.book().score(key);
    scores.push_back(static_cast<char>(score.value_or(kNoBound)));
  }
  return nb::bytes(scores.data(), scores.size());
}

}  // namespace

void bind_solver(nb::module_& module) {
  nb::class_<BookFile>(module, "Book", "An opening book for 7x6x4, mapped from a file.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("version", [](const BookFile& file) { return file.book().version(); })
      .def_prop_ro("plies", [](const BookFile& file) { return file.book().plies(); })
      .def_prop_ro("positions", [](const BookFile& file) { return file.book().positions(); })
      .def_prop_ro("size", &BookFile::size)
      .def("is_intact", [](const BookFile& file) { return file.book().is_intact(); })
      .def("scores", &book_scores, nb::arg("keys"),
           "One signed byte per canonical key of the book; 127 where the book leaves the score out.");
  module.def("book_layer", &book_layer, nb::arg("ply"),
             "Canonical keys, 8 bytes each, of the positions of this ply that a book holds.");
  module.def("stones_of_keys", &stones_of_keys, nb::arg("keys"),
             "(mine, mask) of 7x6x4 positions, as arrays of words.");
  module.def("back_up", &back_up_layer, nb::arg("keys"), nb::arg("next"), nb::arg("next_scores"),
             "The scores of positions from those of book_layer(their ply + 1).");
  module.def("make_book", &make_book_file, nb::arg("plies"), nb::arg("scores"),
             "The bytes of a book, from the scores of book_layer(plies).");

  nb::class_<AnySolver>(module, "Solver",
                        "Exact scores on any board; keeps what it has learned between calls.")
      .def(nb::init<int, int, std::shared_ptr<BookFile>>(), nb::kw_only(), nb::arg("threads"),
           nb::arg("megabytes"), nb::arg("book").none())
      .def("clear", &AnySolver::clear, "Forget what was learned.")
      .def("score", &AnySolver::score, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), "The exact score, without limits.")
      .def("solve", &AnySolver::solve, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), nb::kw_only(), nb::arg("only_outcome"),
           nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("depth").none(),
           nb::arg("beat").none(), "(lower, upper, nodes): sound bounds, equal when the score is exact.")
      .def("analyse", &AnySolver::analyse, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::arg("reached"), nb::kw_only(), nb::arg("nodes").none(),
           nb::arg("seconds").none(), nb::arg("depth").none(), nb::arg("beat").none(),
           "([(column, lower, upper)], line, nodes).")
      .def("scores", &AnySolver::scores, nb::arg("columns"), nb::arg("rows"), nb::arg("connect"),
           nb::arg("mine"), nb::arg("mask"), nb::kw_only(), nb::arg("only_outcome"), nb::arg("reached"),
           nb::arg("beat").none(), "One signed byte per position; positions are arrays of words.");
}

}  // namespace claimeven
