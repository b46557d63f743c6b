#pragma once

#include <atomic>

namespace counterpoise {

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

}  // namespace counterpoise
