#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace counterpoise {

/// Names of the force and moment components of a wrench, in the order in which they are always
/// listed.
inline constexpr std::array<std::string_view, 6> wrench_components = {"fx", "fy", "fz",
                                                                      "mx", "my", "mz"};

/// One component of the wrench through the joint of a body (as the parent applies it to the body,
/// at the body's origin, in the body's axes) or through a loop closure (as the first point's body
/// applies it to the second's, at the point, in the second body's axes).
struct WrenchComponent {
  enum class Owner { body, loop };
  Owner owner = Owner::body;
  int element = -1;    // index of the body or the loop
  int component = -1;  // index into wrench_components
};

/// An assumption about the reactions of joints that hold a body together (paper 000, section 5.2).
struct SharingRule {
  enum class Kind {
    equal,  // all components are equal
    none,   // each component is zero
  };
  Kind kind = Kind::equal;
  std::vector<WrenchComponent> components;
};

}  // namespace counterpoise
