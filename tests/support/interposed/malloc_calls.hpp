#pragma once

namespace counterpoise::test {

/// Calls of malloc and realloc so far by the objects of this executable and its static libraries,
/// by any thread; Eigen's matrices allocate by these and not by operator new. Linking
/// `test_malloc_calls` makes the linker send such calls here first.
long malloc_calls();

}  // namespace counterpoise::test
