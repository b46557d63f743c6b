#pragma once

namespace counterpoise::bench {

/// Each registers the benchmarks of one file.
void add_inverse_dynamics();
void add_linkage();
void add_affine_pass();
void add_design_changes();
void add_limits();
void add_fronts();

}  // namespace counterpoise::bench
