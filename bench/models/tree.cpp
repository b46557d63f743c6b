#include "bench/models/tree.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace counterpoise::bench {

bool Tree::is_chain() const {
  for (int i = 0; i < size(); ++i)
    if (links[i].parent != i - 1) return false;
  return true;
}

Tree make_arm(int links) {
  constexpr double length = 0.3, radius = 0.02, mass = 0.4;
  constexpr std::array axes = {2, 1, 0};
  Tree arm{"arm" + std::to_string(links), {}};
  for (int i = 0; i < links; ++i) {
    Link link;
    link.parent = i - 1;
    link.axis = axes[static_cast<std::size_t>(i) % axes.size()];
    link.origin = {0.0, 0.0, i == 0 ? 0.0 : length};
    link.mass = mass;
    link.com = {0.0, 0.0, length / 2};
    const double across = mass * (length * length / 12 + radius * radius / 4);
    link.inertia = {across, across, mass * radius * radius / 2, 0.0, 0.0, 0.0};
    arm.links.push_back(link);
  }
  return arm;
}

Tree make_bush(int links) {
  Tree bush = make_arm(links);
  bush.name = "bush" + std::to_string(links);
  for (int i = 0; i < links; ++i) bush.links[i].parent = (i + 1) / 2 - 1;
  return bush;
}

Tree tree_named(std::string_view name) {
  if (name == "charmie21") return make_charmie();
  using Make = Tree (*)(int);
  for (const auto& [kind, make] : {std::pair<std::string_view, Make>{"arm", make_arm},
                                   {"bush", make_bush},
                                   {"random", make_random}}) {
    if (!name.starts_with(kind)) continue;
    int number = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + kind.size(), last, number);
    if (error == std::errc() && end == last && number > 0) return make(number);
  }
  throw std::invalid_argument("no tree is called " + std::string(name));
}

Tree design_of(const Tree& nominal, int design) {
  Tree tree = nominal;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    Link& link = tree.links[i];
    const auto phase = static_cast<double>(i + 1);
    const double longer = 1.0 + 0.05 * std::sin(phase * design);
    const double heavier = 1.0 + 0.05 * std::sin(phase * design * 2);
    for (double& x : link.origin) x *= longer;
    link.mass *= heavier;
    for (double& x : link.inertia) x *= heavier;
  }
  return tree;
}

}  // namespace counterpoise::bench
