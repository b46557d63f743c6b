#pragma once

#include <atomic>
#include <exception>
#include <functional>

namespace counterpoise {

/// Thrown by work that was asked to stop; its result so far is lost.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Says whether work is to stop. Long work asks between steps that take a few milliseconds at most;
/// asking costs a few nanoseconds. A default-constructed object never asks to stop.
class Interruption {
 public:
  Interruption() = default;
  /// Asks a flag that a signal sets; the flag must outlive this. Null never asks to stop.
  Interruption(const std::atomic<bool>* flag) {
    if (flag != nullptr) asked_ = [flag] { return flag->load(std::memory_order_relaxed); };
  }
  explicit Interruption(std::function<bool()> asked) : asked_(std::move(asked)) {}

  [[nodiscard]] bool asked() const { return asked_ && asked_(); }
  /// Throws Interrupted if asked to stop.
  void poll() const {
    if (asked()) throw Interrupted();
  }

 private:
  std::function<bool()> asked_;
};

}  // namespace counterpoise
