#include "bench/models/tree.hpp"

namespace counterpoise::bench {
namespace {

/// As Table 1 of paper 000 prints it: kg, mm, 1e-6 kg m^2 (xx yy zz xy xz yz).
struct Printed {
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia;
};

// The table does not give centres of mass. These lie halfway to the next origin.
constexpr Printed base = {37.1, {0, 0, 145}, {1187000, 1304000, 1610000, 11450, 3586, -51860}};
constexpr Printed lift = {7.5, {0, 0, 217}, {118300, 167400, 94970, 19.62, 1.907, -7536}};
constexpr Printed lean = {4.6, {0, 1.5, 230}, {77230, 80350, 32960, 2316, -229.9, 4803}};
constexpr Printed neck = {0.3, {0, 0, 23.15}, {145.8, 132.1, 246.5, 0, 0, 4.732}};
constexpr Printed nod = {0.4, {7.4, -2.65, 9.15}, {296.0, 268.2, 522.0, 2.606, -0.822, 6.866}};
constexpr Printed face = {0.7, {14.8, -5.3, 18.3}, {8548, 7189, 4981, 31.79, 143.1, -222.0}};

/// A segment of an arm is symmetric about its own z, along which the arm goes on.
struct Segment {
  double mass, length, across, along;
};
constexpr std::array<Segment, 7> arm = {{{0.3, 30, 32.39, 19.93},
                                         {0.3, 61.5, 102.5, 19.61},
                                         {0.4, 145, 710.8, 26.54},
                                         {0.4, 145, 710.8, 26.54},
                                         {0.4, 140, 663.9, 26.56},
                                         {0.4, 140, 663.9, 26.56},
                                         {0.3, 120, 498.6, 19.94}}};

Link link_of(int parent, bool revolute, int axis, std::array<double, 3> origin,
             const Printed& body) {
  Link link;
  link.parent = parent;
  link.revolute = revolute;
  link.axis = axis;
  link.mass = body.mass;
  for (std::size_t i = 0; i < 3; ++i) link.origin[i] = 1e-3 * origin[i];
  for (std::size_t i = 0; i < 3; ++i) link.com[i] = 1e-3 * body.com[i];
  for (std::size_t i = 0; i < 6; ++i) link.inertia[i] = 1e-6 * body.inertia[i];
  return link;
}

/// Two bodies that are screwed together, both in the axes of the first.
Printed together(const Printed& a, const Printed& b) {
  Printed sum{a.mass + b.mass, {}, {}};
  for (std::size_t i = 0; i < 3; ++i)
    sum.com[i] = (a.mass * a.com[i] + b.mass * b.com[i]) / sum.mass;
  for (const Printed* body : {&a, &b}) {
    const double x = body->com[0] - sum.com[0], y = body->com[1] - sum.com[1],
                 z = body->com[2] - sum.com[2];
    const std::array shift = {y * y + z * z, z * z + x * x, x * x + y * y, -x * y, -x * z, -y * z};
    for (std::size_t i = 0; i < 6; ++i) sum.inertia[i] += body->inertia[i] + body->mass * shift[i];
  }
  return sum;
}

}  // namespace

Tree make_charmie() {
  Tree tree{"charmie21", {}};
  const auto add = [&tree](const Link& link) {
    tree.links.push_back(link);
    return tree.size() - 1;
  };
  const Printed nothing{};
  const int x = add(link_of(-1, false, 0, {}, nothing));
  const int y = add(link_of(x, false, 1, {}, nothing));
  const int turn = add(link_of(y, true, 2, {}, base));
  const int up = add(link_of(turn, false, 2, {0, 0, 290}, lift));
  const int torso = add(link_of(up, true, 0, {0, 0, 434}, lean));

  for (const double side : {1.0, -1.0}) {
    int parent = torso;
    for (std::size_t k = 0; k < arm.size(); ++k) {
      const Segment& s = arm[k];
      const Printed body{s.mass, {0, 0, s.length / 2}, {s.across, s.across, s.along, 0, 0, 0}};
      const int axis = k % 2 == 0 ? 2 : 0;
      Link link = k == 0 ? link_of(parent, true, axis, {side * 200, 3, 460}, body)
                         : link_of(parent, true, axis, {0, 0, arm[k - 1].length}, body);
      if (k == 0) link.rotation = {0, 0, side, 0, 1, 0, -side, 0, 0};  // z points sideways
      parent = add(link);
    }
  }
  const int head = add(link_of(torso, true, 2, {0, 0, 495}, neck));
  add(link_of(head, true, 0, {0, 0, 46.3}, together(nod, face)));
  return tree;
}

}  // namespace counterpoise::bench
