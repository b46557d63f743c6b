#pragma once

#include <atomic>
#include <exception>
#include <functional>

namespace counterpoise {

/// Thrown out of work that was asked to stop; what it has reached is lost.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Whether work is to stop. Long work asks between steps that take a few milliseconds at most; to
/// ask costs a few nanoseconds. Without a question it never stops.
class Interruption {
 public:
  Interruption() = default;
  /// A flag that a signal sets; it must outlive this. Null: never.
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
