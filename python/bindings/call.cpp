#include "python/bindings/call.hpp"

#include <pthread.h>

#include <chrono>
#include <thread>

#include "python/bindings/errors.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// How often the waiting thread looks for signals (Ctrl-C) and progress.
constexpr std::chrono::milliseconds turn{20};

std::atomic<bool> scheduler_used{false};
std::atomic<bool> scheduler_lost{false};

/// Runs in every child of fork(), which has none of its parent's threads.
void note_child() {
  if (scheduler_used) scheduler_lost = true;
}

/// Throws in a child of fork() whose parent had used the scheduler's threads.
void require_scheduler() {
  static const int registered = pthread_atfork(nullptr, nullptr, note_child);
  static_cast<void>(registered);
  if (scheduler_lost)
    throw Misuse(
        "this process was made by fork() from one that had used several threads, which a child "
        "does "
        "not have: start processes with the method \"spawn\" or \"forkserver\", or fork before the "
        "first call of this kind; evaluators work in any child");
  scheduler_used = true;
}

}  // namespace

Call::Call(py::object progress) : progress_(std::move(progress)) {}

void Call::tell(const Progress& progress) {
  const std::lock_guard<std::mutex> lock(mutex_);
  news_ = progress;
}

std::optional<Progress> Call::news() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(news_, std::nullopt);
}

void Call::visit_python() {
  const py::gil_scoped_acquire acquired;
  if (raised_) return;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (progress_.is_none()) return;
    if (const std::optional<Progress> now = news())
      progress_(now->done, now->total, now->fresh, now->words);
  } catch (...) {
    raised_ = std::current_exception();
    stop_ = true;
  }
}

void Call::wait_for(Workers workers, const std::function<void()>& work) {
  if (workers == Workers::several) require_scheduler();
  std::exception_ptr thrown;
  {
    const py::gil_scoped_release released;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
      changed_.notify_one();
    });
    for (bool done = false; !done;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        done = changed_.wait_for(lock, turn, [&] { return done_; });
      }
      if (!done || !progress_.is_none()) visit_python();
    }
    worker.join();
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace counterpoise::python
