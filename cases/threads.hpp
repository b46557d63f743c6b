#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>

namespace counterpoise {

/// A given number of threads (0 for as many as the machine has) for the work that run() is given.
class Threads {
 public:
  explicit Threads(int asked)
      : count_(asked > 0 ? asked : tbb::info::default_concurrency()),
        arena_(count_),
        allowed_(parallelism(), static_cast<std::size_t>(count_)) {}

  [[nodiscard]] int count() const { return count_; }

  /// Runs `work`; its calls of parallel_each() are spread over these threads.
  template <class Work>
  void run(const Work& work) {
    arena_.execute(work);
  }

 private:
  /// Ending a control allocates memory, and ends the process if that fails, unless an arena exists
  /// before and after it.
  tbb::global_control::parameter parallelism() {
    arena_.initialize();
    return tbb::global_control::max_allowed_parallelism;
  }

  int count_;
  tbb::task_arena arena_;
  tbb::global_control allowed_;
};

/// A pointer for function objects that TBB copies to its threads: whoever reads it also sees what
/// was written before it was copied, which tools that cannot see into TBB would not know otherwise.
template <class T>
class HandedOver {
 public:
  explicit HandedOver(T* object) : object_(object) {}
  HandedOver(const HandedOver& other) : object_(other.object_.load(std::memory_order_acquire)) {
    object_.store(object_.load(std::memory_order_relaxed), std::memory_order_release);
  }
  HandedOver& operator=(const HandedOver&) = delete;
  ~HandedOver() = default;
  T* operator->() const { return object_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> object_;
};

/// Calls body(i) for i = 0 .. count - 1, each as a task of its own, on the threads of this arena.
template <class Body>
void parallel_each(std::size_t count, const Body& body) {
  const HandedOver<const Body> shared(&body);
  tbb::parallel_for(
      std::size_t{0}, count, [shared](std::size_t i) { (*shared.operator->())(i); },
      tbb::simple_partitioner());
}

}  // namespace counterpoise
