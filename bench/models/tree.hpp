#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace counterpoise::bench {

/// One moving body and the joint that carries it, in plain numbers, so that every library can be
/// given the same tree whatever its types are and however it was compiled.
struct Link {
  int parent = -1;  // index of a link before this one; -1: the world
  bool revolute = true;
  int axis = 2;                                                  // 0, 1, 2: the link's x, y, z
  std::array<double, 9> rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // R_PB at q = 0, row by row
  std::array<double, 3> origin = {};                             // in the parent's axes       [m]
  double mass = 0.0;                                             // [kg]
  std::array<double, 3> com = {};                                // in its own axes            [m]
  std::array<double, 6> inertia = {};  // about the centre of mass: xx yy zz xy xz yz   [kg m^2]
};

/// Links from base to tips. Gravity is `gravity` along -z.
struct Tree {
  std::string name;
  std::vector<Link> links;

  [[nodiscard]] int size() const { return static_cast<int>(links.size()); }
  [[nodiscard]] bool is_chain() const;
};

inline constexpr double gravity = 9.81;  // [m/s^2]

/// The serial arms of paper 000, Table 5, with any number of links: rods of 0.3 m and 0.4 kg whose
/// revolute joints turn about z, y, x, z, ...
Tree make_arm(int links);

/// CHARMIE as a tree of 21 axes: base, lift, lean, two arms of 7 and the head.
Tree make_charmie();

/// The links of make_arm() as a tree in which every link carries two others.
Tree make_bush(int links);

/// Up to 40 links with branches, revolute and prismatic joints, frames turned in any way, and
/// masses and inertias that bodies can have. The seed decides everything but the names.
/// Inertias of trees with an even seed are diagonal.
Tree make_random(int seed);

/// "arm2", "arm200", "bush100", "charmie21", "random1". Throws std::invalid_argument for anything
/// else.
Tree tree_named(std::string_view name);

/// The same structure with other numbers: every length and mass differs from the nominal tree by
/// up to 5 % in a way that depends on `design` alone. Design 0 is the nominal tree itself.
Tree design_of(const Tree& nominal, int design);

}  // namespace counterpoise::bench
