#pragma once

namespace counterpoise::test {

/// Calls of operator new in this executable so far, by any thread. Linking `test_allocations`
/// replaces the global operators.
long allocations();

}  // namespace counterpoise::test
