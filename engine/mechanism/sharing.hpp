#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace counterpoise {

/// Force and moment components of a wrench, in their order everywhere.
inline constexpr std::array<std::string_view, 6> wrench_components = {"fx", "fy", "fz",
                                                                      "mx", "my", "mz"};

/// One number of the wrench through the joint of a body (as its parent applies it to it, at its
/// origin, in its axes) or through a loop closure (as the first point's body applies it to the
/// second's, at the point, in the second body's axes).
struct WrenchComponent {
  enum class Owner { body, loop };
  Owner owner = Owner::body;
  int element = -1;    // index of the body or the loop
  int component = -1;  // index into wrench_components
};

/// What is assumed about joints that hold a body together (paper 000, section 5.2).
struct SharingRule {
  enum class Kind {
    equal,  // these components are the same
    none,   // each of these is zero
  };
  Kind kind = Kind::equal;
  std::vector<WrenchComponent> components;
};

}  // namespace counterpoise
