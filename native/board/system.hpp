// What the system gives and WebAssembly does not: zeroed pages and threads, each in one place.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#if !defined(__wasm__)
#include <sys/mman.h>

#include <thread>
#endif

namespace claimeven {

#if defined(__wasm__)
inline constexpr int kMostThreads = 1;  // a page that wants more starts more workers
#else
inline constexpr int kMostThreads = 1024;
#endif

// Zeroed memory from the system, in huge pages where there are any.
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::size_t bytes) : memory_(taken(bytes)), bytes_(bytes) {}
  Pages(const Pages&) = delete;
  Pages& operator=(Pages other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Pages(Pages&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  ~Pages() {
    if (memory_) give_back(memory_, bytes_);
  }

  void* data() const { return memory_; }
  std::size_t size() const { return bytes_; }

 private:
#if defined(__wasm__)
  static void* taken(std::size_t bytes) {
    constexpr std::size_t kLine = 64;
    void* memory = std::aligned_alloc(kLine, (bytes + kLine - 1) / kLine * kLine);
    if (!memory) throw std::bad_alloc();
    return std::memset(memory, 0, bytes);
  }
  static void give_back(void* memory, std::size_t) { std::free(memory); }
#else
  static void* taken(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    constexpr std::size_t kHuge = std::size_t{2} << 20;
    if (bytes >= kHuge) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
  }
  static void give_back(void* memory, std::size_t bytes) { munmap(memory, bytes); }
#endif

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// Threads that help the one that starts them; it waits for them before it goes on, also when it is thrown
// out.
class Helpers {
 public:
  // `stop` is what makes them come to an end.
  explicit Helpers(std::atomic<bool>& stop) : stop_(stop) {}
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() { end(); }

#if defined(__wasm__)
  template <class Work>
  void start(Work) {
    std::abort();  // nobody asks for a second thread where kMostThreads is 1
  }
  void end() { stop_ = true; }
#else
  template <class Work>
  void start(Work work) {
    threads_.emplace_back(work);
  }
  void end() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
#endif

 private:
  std::atomic<bool>& stop_;
};

// For a thread that has nothing to do until others have.
inline void rest(std::chrono::microseconds time) {
#if defined(__wasm__)
  (void)time;  // there are no others
#else
  std::this_thread::sleep_for(time);
#endif
}

}  // namespace claimeven
