// A table as a file: what was learned on one board, to go on from there another day.
//
// It holds the entries as Table::each gives them, so that a table of any size can take them up. Entries that
// cost no more than a node are left out: finding them again is as quick as reading them. A file appears whole
// or not at all, and its checksum tells whether it still is.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "board/checked.hpp"
#include "solver/book.hpp"
#include "solver/table.hpp"

namespace claimeven {

// At the start of the file, little-endian as the rest. The version changes with the keys of the table.
struct TableHeader {
  char magic[8];
  std::uint32_t version, columns, rows, connect;
  std::uint64_t entries;
  std::uint64_t nodes;  // that were searched for them, in so many seconds
  double seconds;
  std::uint64_t checksum;

  static constexpr char kMagic[8] = {'c', '4', 't', 'a', 'b', 'l', 'e', '\n'};
  static constexpr std::uint32_t kVersion = 1;
};

class TableFile {
 public:
  explicit TableFile(const std::string& path, const char* mode) : file_(std::fopen(path.c_str(), mode)) {
    if (!file_) throw std::invalid_argument(std::strerror(errno));
  }

  // Reads the header and checks it.
  TableHeader header() {
    TableHeader header{};
    if (std::fread(&header, sizeof header, 1, file_.get()) != 1 ||
        std::memcmp(header.magic, TableHeader::kMagic, sizeof header.magic) != 0) {
      throw std::invalid_argument("this is not a saved search");
    }
    if (header.version != TableHeader::kVersion) {
      throw std::invalid_argument("its format has version " + std::to_string(header.version) +
                                  ", which is not known here");
    }
    const auto most = static_cast<std::uint32_t>(kBits);
    if (header.columns > most || header.rows > most || header.connect > most) damaged();
    return header;
  }

  // Reads the entries into a table of the header's board.
  template <class Shape, class Entry>
  void read(const TableHeader& header, const Shape& shape, Table<Entry, typename Shape::Word>& table) {
    using Word = typename Shape::Word;
    const int most = shape.columns * shape.rows / 2;  // of scores in the table
    std::uint64_t sum = first_sum(header);
    table.reserve(std::min(header.entries, size() / sizeof(Record<Word>)));
    for (std::uint64_t i = 0; i < header.entries; ++i) {
      Record<Word> record;
      if (std::fread(&record, sizeof record, 1, file_.get()) != 1) damaged();
      add(sum, record);
      const Known known{record.lower, record.upper, record.move};
      const bool is_move = known.move < shape.columns || known.move == kNoMove;
      // Nothing outside the table and the board is ever touched, whatever a file says.
      if (!is_move || known.lower < -most || known.upper > most || known.lower > known.upper ||
          Entry::bucket(record.mix(), 1) > 1) {
        damaged();
      }
      table.put(record.mix(), known, std::min<int>(record.work, Entry::kMaxWork));
    }
    if (sum != header.checksum || std::fgetc(file_.get()) != EOF) damaged();
  }

  // Writes everything that took at least so much work, then the header.
  template <class Shape, class Entry>
  void write(TableHeader header, const Shape& shape, const Table<Entry, typename Shape::Word>& table,
             int least) {
    using Word = typename Shape::Word;
    std::memcpy(header.magic, TableHeader::kMagic, sizeof header.magic);
    header.version = TableHeader::kVersion;
    header.columns = static_cast<std::uint32_t>(shape.columns);
    header.rows = static_cast<std::uint32_t>(shape.rows);
    header.connect = static_cast<std::uint32_t>(shape.connect);
    header.entries = 0;
    const auto is_kept = [least](int work) { return work >= least; };
    table.each([&](Word, const Known&, int work) { header.entries += is_kept(work); });
    std::uint64_t sum = first_sum(header);
    put(header);
    table.each([&](Word mix, const Known& known, int work) {
      if (!is_kept(work)) return;
      const Record<Word> record(mix, known, work);
      add(sum, record);
      put(record);
    });
    header.checksum = sum;
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) failed();
    put(header);
    if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0) failed();
  }

 private:
  template <class Word>
  struct Record {
    std::uint32_t words[sizeof(Word) / 4];
    std::int8_t lower, upper;
    std::uint8_t move, work;

    Record() = default;
    Record(Word mix, const Known& known, int effort)
        : lower(static_cast<std::int8_t>(known.lower)),
          upper(static_cast<std::int8_t>(known.upper)),
          move(static_cast<std::uint8_t>(known.move)),
          work(static_cast<std::uint8_t>(effort)) {
      std::memcpy(words, &mix, sizeof mix);
    }
    Word mix() const {
      Word mix;
      std::memcpy(&mix, words, sizeof mix);
      return mix;
    }
  };

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] static void damaged() { throw std::invalid_argument("the file is damaged"); }
  [[noreturn]] static void failed() { throw std::invalid_argument(std::strerror(errno)); }

  static void add_word(std::uint64_t& sum, std::uint64_t word) {
    sum = book::scrambled(sum ^ word) + 0x9e3779b97f4a7c15;
  }
  template <class Word>
  static void add(std::uint64_t& sum, const Record<Word>& record) {
    for (std::size_t at = 0; at < sizeof record; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const char*>(&record) + at,
                  std::min<std::size_t>(8, sizeof record - at));
      add_word(sum, word);
    }
  }
  static std::uint64_t first_sum(TableHeader header) {
    std::uint64_t sum = header.checksum = 0;
    for (std::size_t at = 0; at < sizeof header; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, reinterpret_cast<const char*>(&header) + at, 8);
      add_word(sum, word);
    }
    return sum;
  }

  // In bytes: a damaged header must not make a table grow.
  std::uint64_t size() {
    struct stat status{};
    return fstat(fileno(file_.get()), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

  template <class Value>
  void put(const Value& value) {
    if (std::fwrite(&value, sizeof value, 1, file_.get()) != 1) failed();
  }

  std::unique_ptr<std::FILE, Close> file_;
};

// Writes a file so that it is there whole or as it was before, also after a power cut.
template <class Shape, class Entry>
void save_table(const std::string& path, const TableHeader& header, const Shape& shape,
                const Table<Entry, typename Shape::Word>& table, int least = 1) {
  const std::string part = path + ".part";
  try {
    TableFile(part, "wb").write(header, shape, table, least);
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    std::remove(part.c_str());
    throw std::invalid_argument(std::strerror(reason));
  }
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const int opened = open(folder.c_str(), O_RDONLY | O_CLOEXEC);  // a rename is durable once the folder is
  if (opened >= 0) {
    fsync(opened);
    close(opened);
  }
}

}  // namespace claimeven
