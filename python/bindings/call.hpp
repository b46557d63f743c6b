#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "cases/run_options.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise::python {

/// A call that may last. Its work is done on a thread of its own without the interpreter's lock,
/// while the calling thread waits, lets Python handle signals and reports progress. If a signal's
/// handler or the progress function raises an exception, the work is asked to stop, and the
/// exception is raised when it has.
class Call {
 public:
  /// Whether the work uses the threads of the scheduler, which a child of fork() does not have.
  enum class Workers { none, several };

  explicit Call(pybind11::object progress = pybind11::none());

  /// For the work, from any thread.
  [[nodiscard]] Interruption interrupted() const { return Interruption(&stop_); }
  void tell(const Progress& progress);

  /// Returns what `work` returns. Call it with the interpreter's lock.
  template <class Work>
  auto run(Workers workers, const Work& work) {
    using Result = std::invoke_result_t<Work>;
    if constexpr (std::is_void_v<Result>) {
      wait_for(workers, work);
    } else {
      std::optional<Result> result;
      wait_for(workers, [&] { result.emplace(work()); });
      return std::move(*result);
    }
  }

 private:
  void wait_for(Workers workers, const std::function<void()>& work);
  /// Handles Python's signals and calls its progress function; keeps an exception for wait_for().
  void visit_python();
  /// The latest progress, if not reported yet.
  std::optional<Progress> news();

  pybind11::object progress_;
  std::atomic<bool> stop_{false};
  std::exception_ptr raised_;  // by Python code
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::optional<Progress> news_;
};

}  // namespace counterpoise::python
