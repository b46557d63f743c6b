#pragma once

namespace counterpoise::test {

/// From now on this process is disturbed by these rules alone, counted from here; README.md says
/// how they are written. Throws nothing: a rule that is not understood ends the process.
void disturb(const char* rules);

/// Whether one of the rules has come to its n-th operation.
bool was_disturbed();

}  // namespace counterpoise::test
