#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace counterpoise {

/// Thrown when there is not enough memory. what() is one line that says what the memory was for.
class OutOfMemory : public std::runtime_error {
 public:
  explicit OutOfMemory(const std::string& purpose)
      : std::runtime_error("not enough memory for " + purpose) {}
};

/// Returns what `work` returns; throws OutOfMemory if there is not enough memory for it, or if the
/// system gives no more threads, mostly for want of room for their stacks.
template <class Work>
auto in_memory_for(const std::string& purpose, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(purpose);
  } catch (const std::length_error&) {  // more than addresses can tell apart
    throw OutOfMemory(purpose);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    throw OutOfMemory(purpose + ", or no more threads");
  }
}

}  // namespace counterpoise
