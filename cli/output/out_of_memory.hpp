#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace counterpoise {

/// Thrown when there is not enough memory. what() is one line that says what the memory was for.
class OutOfMemory : public std::runtime_error {
 public:
  explicit OutOfMemory(const std::string& purpose)
      : std::runtime_error("not enough memory for " + purpose) {}
};

/// Returns what `work` returns; throws OutOfMemory if there is not enough memory for it.
template <class Work>
auto in_memory_for(const std::string& purpose, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(purpose);
  } catch (const std::length_error&) {  // more than addresses can tell apart
    throw OutOfMemory(purpose);
  }
}

}  // namespace counterpoise
