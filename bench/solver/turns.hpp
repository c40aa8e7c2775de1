// Threads that take turns: each searches a few nodes, then the next one. So one core tells how many nodes any
// number of threads would search together, and the same number every time. bench/solver/threads.py --turns
// builds the solver with it: there `Thread` stands for std::thread, and every node that is counted calls
// `pass`.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace turns {

inline constexpr unsigned kNodes = 4;  // of a turn
inline constexpr std::size_t kStack = std::size_t{1} << 20;

struct Runner {
  ucontext_t context{};
  std::vector<char> stack;
  std::function<void()> work;
  bool is_done = false;
};

struct Table {
  std::vector<std::shared_ptr<Runner>> runners{std::make_shared<Runner>()};  // the first is who started them
  std::size_t at = 0;
};

inline Table& table() {
  static Table table;
  return table;
}

inline void next() {
  auto& [runners, at] = table();
  const std::size_t from = at;
  do at = (at + 1) % runners.size();
  while (at != from && runners[at]->is_done);
  if (at != from) swapcontext(&runners[from]->context, &runners[at]->context);
}

inline void pass() {
  static unsigned nodes = 0;
  if (++nodes % kNodes == 0) next();
}

inline void begin() {
  Runner& own = *table().runners[table().at];
  own.work();
  own.is_done = true;
  next();
}

class Thread {
 public:
  explicit Thread(std::function<void()> work) : runner_(std::make_shared<Runner>()) {
    runner_->stack.resize(kStack);
    runner_->work = std::move(work);
    getcontext(&runner_->context);
    runner_->context.uc_stack = {runner_->stack.data(), 0, runner_->stack.size()};
    makecontext(&runner_->context, begin, 0);
    table().runners.push_back(runner_);
  }

  void join() {
    while (!runner_->is_done) next();
    std::erase(table().runners, runner_);
  }

 private:
  std::shared_ptr<Runner> runner_;
};

}  // namespace turns
