// The GIL given back during long calls and taken for a moment in between, by threads that may outlive Python.
//
// A daemon thread that asks for the GIL while the interpreter ends is killed by Python in the middle of our
// C++ (up to 3.13, the process aborts). So asking is announced here; when Python is about to end (an atexit
// handler of bind.cpp) nobody new is let in, those inside are waited for, and everybody else waits for the
// end of the process.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace claimeven {

namespace nb = nanobind;

// Thrown where a long call looks around: Python is ending, nobody waits for the result.
struct Closing {};

class Interpreter {
 public:
  // Whether this thread may ask for the GIL; leave() follows then.
  static bool enter() {
    ++inside_;
    if (!is_closing_ || std::this_thread::get_id() == closer_) return true;
    --inside_;
    return false;
  }
  static void leave() { --inside_; }

  // Called by the thread that ends Python, with the GIL.
  static void close() {
    closer_ = std::this_thread::get_id();
    is_closing_ = true;
    nb::gil_scoped_release release;
    // Not forever: in a forked child, whoever was inside in the parent will never leave.
    for (int i = 0; inside_ > 0 && i < 1000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  static inline std::atomic<int> inside_{0};
  static inline std::atomic<bool> is_closing_{false};
  static inline std::thread::id closer_;  // may go on: other handlers may call us, too
};

// Python is called from here on.
class WithGil {
 public:
  WithGil() {
    if (!Interpreter::enter()) throw Closing{};
    state_ = PyGILState_Ensure();
  }
  ~WithGil() {
    PyGILState_Release(state_);
    Interpreter::leave();
  }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

// Python runs other threads from here on.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    while (!Interpreter::enter()) std::this_thread::sleep_for(std::chrono::hours(1));
    PyEval_RestoreThread(thread_);
    Interpreter::leave();
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

}  // namespace claimeven
