#pragma once

#include <memory>

#include "bench/models/states.hpp"

namespace counterpoise::bench {

/// One library at work on one tree: inverse dynamics called as its users would call it, on states
/// that were put into the library's own types beforehand.
class Contestant {
 public:
  virtual ~Contestant() = default;

  /// Another design of the same structure, by the cheapest way the library offers.
  virtual void set_design(const Tree& tree) = 0;

  /// Inverse dynamics of the first `samples` states, one after the other; nothing is kept.
  virtual void run(int samples) = 0;

  /// The same over all states, kept: samples times links.
  virtual void torques(std::vector<double>& out) = 0;
};

/// One library at work on the accelerations of one tree, which its forces give it at positions and
/// velocities: the joint forces are the numbers `a` of the states [N, N m].
class ForwardContestant {
 public:
  virtual ~ForwardContestant() = default;

  /// Accelerations at the first `samples` states, one after the other; nothing is kept.
  virtual void run(int samples) = 0;

  /// The same over all states, kept: samples times links.
  virtual void accelerations(std::vector<double>& out) = 0;

  /// Lets the tree go at the first state without joint forces, and appends all positions and then
  /// all velocities after `seconds`. Libraries with steps of one length take `step` [s]; nothing is
  /// appended by a library that does not integrate.
  virtual void fall(double seconds, double step, std::vector<double>& out) = 0;
};

/// Each program defines these for its library.
std::string library_version();
std::vector<std::string> ways();  // of calling it; names for the table
/// Nothing where this way cannot do this tree.
std::unique_ptr<Contestant> make_contestant(const std::string& way, const Tree& tree,
                                            const States& states);
/// The same of accelerations; a library may have no way.
std::vector<std::string> forward_ways();
std::unique_ptr<ForwardContestant> make_forward(const std::string& way, const Tree& tree,
                                                const States& states);

}  // namespace counterpoise::bench
