// A book file mapped into memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "solver/book.hpp"

namespace claimeven {

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

}  // namespace claimeven
