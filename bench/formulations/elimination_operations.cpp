#include "bench/formulations/elimination_operations.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace counterpoise::bench {

struct Counted::Record {
  using Key = std::tuple<Kind, bool, bool, int, int, std::uint64_t>;
  // the first one is zero, which numbers are by default
  std::vector<Node> nodes = {{Kind::constant, false, false, -1, -1, 0.0}};
  std::map<Key, int> known = {{{Kind::constant, false, false, -1, -1, 0}, 0}};
};

Counted::Record& Counted::record() {
  static Record record;
  return record;
}

void Counted::start() {
  record() = {};
}

Counted Counted::make(const Node& node, bool negative) {
  Record& all = record();
  // constants are told apart by their value, results by how they come about
  const std::uint64_t bits =
      node.kind == Kind::constant ? std::bit_cast<std::uint64_t>(node.value) : 0;
  const auto [at, is_new] = all.known.try_emplace(
      {node.kind, node.first_negative, node.second_negative, node.first, node.second, bits},
      static_cast<int>(all.nodes.size()));
  if (is_new) all.nodes.push_back(node);
  Counted result;
  result.node_ = at->second;
  result.negative_ = negative;
  return result;
}

Counted::Counted(double constant) {
  if (constant != 0.0)
    *this = make({Kind::constant, false, false, -1, -1, std::abs(constant)}, constant < 0.0);
}

Counted Counted::input(double value) {
  const auto number = static_cast<int>(record().nodes.size());
  return make({Kind::input, false, false, number, -1, value}, false);
}

double Counted::value() const {
  const double size = record().nodes[node_].value;
  return negative_ ? -size : size;
}

bool Counted::constant() const {
  return record().nodes[node_].kind == Kind::constant;
}

Counted operator+(const Counted& a, const Counted& b) {
  if (a.is(0.0)) return b;
  if (b.is(0.0)) return a;
  if (a.constant() && b.constant()) return a.value() + b.value();
  if (a.node_ == b.node_) return a.negative_ == b.negative_ ? a * Counted(2.0) : Counted(0.0);
  const Counted &low = a.node_ < b.node_ ? a : b, &high = a.node_ < b.node_ ? b : a;
  const bool same = a.negative_ == b.negative_;
  Counted first = low, second = high;
  first.negative_ = second.negative_ = false;
  const double value = same ? first.value() + second.value() : first.value() - second.value();
  return Counted::make({same ? Counted::Kind::sum : Counted::Kind::difference, false, false,
                        low.node_, high.node_, value},
                       low.negative_);
}

Counted operator*(const Counted& a, const Counted& b) {
  if (a.is(0.0) || b.is(0.0)) return 0.0;
  if (a.constant() && b.constant()) return a.value() * b.value();
  for (const double one : {1.0, -1.0}) {
    if (a.is(one)) return one < 0.0 ? -b : b;
    if (b.is(one)) return one < 0.0 ? -a : a;
  }
  const bool ordered = a.node_ < b.node_;
  Counted first = ordered ? a : b, second = ordered ? b : a;
  first.negative_ = second.negative_ = false;
  return Counted::make({Counted::Kind::product, false, false, first.node_, second.node_,
                        first.value() * second.value()},
                       a.negative_ != b.negative_);
}

Counted operator/(const Counted& a, const Counted& b) {
  if (b.constant()) return a * Counted(1.0 / b.value());
  if (a.is(0.0)) return 0.0;
  if (a.node_ == b.node_) return a.negative_ == b.negative_ ? 1.0 : -1.0;
  Counted first = a, second = b;
  first.negative_ = second.negative_ = false;
  return Counted::make(
      {Counted::Kind::quotient, false, false, a.node_, b.node_, first.value() / second.value()},
      a.negative_ != b.negative_);
}

Counted sqrt(const Counted& a) {
  if (a.constant()) return std::sqrt(a.value());
  return Counted::make({Counted::Kind::root, a.negative_, false, a.node_, -1, std::sqrt(a.value())},
                       false);
}

void sincos(const Counted& angle, Counted& sine, Counted& cosine) {
  if (angle.constant()) {
    const double a = angle.value();
    sine = std::sin(a);
    cosine = std::cos(a);
    return;
  }
  Counted size = angle;
  size.negative_ = false;
  const double a = size.value();
  const bool negative = angle.negative_;
  cosine = Counted::make({Counted::Kind::cosine, false, false, size.node_, -1, std::cos(a)}, false);
  sine = Counted::make({Counted::Kind::sine, false, false, size.node_, -1, std::sin(a)}, negative);
}

Counted atan2(const Counted& y, const Counted& x) {
  if (y.constant() && x.constant()) return std::atan2(y.value(), x.value());
  return Counted::make({Counted::Kind::arctangent, y.negative_, x.negative_, y.node_, x.node_,
                        std::atan2(y.value(), x.value())},
                       false);
}

Operations Counted::operations(std::span<const Counted> results) {
  const std::vector<Node>& nodes = record().nodes;
  std::vector<int> uses(nodes.size(), 0);
  std::set<int> needed, outputs;
  for (const Counted& result : results) {
    needed.insert(result.node_);
    outputs.insert(result.node_);
  }
  Operations count;
  // nodes come after what they are made of
  while (!needed.empty()) {
    const int last = *needed.rbegin();
    needed.erase(last);
    const Node& node = nodes[last];
    if (node.kind == Kind::constant || node.kind == Kind::input) continue;
    if (outputs.contains(last) || uses[last] > 1) ++count.assignments;
    for (const int part : {node.first, node.second}) {
      if (part < 0) continue;
      ++uses[part];
      needed.insert(part);
    }
    count.sums += node.kind == Kind::sum || node.kind == Kind::difference;
    count.products += node.kind == Kind::product;
    count.quotients += node.kind == Kind::quotient;
    count.roots += node.kind == Kind::root;
    count.sines += node.kind == Kind::sine || node.kind == Kind::cosine;
    count.arctangents += node.kind == Kind::arctangent;
  }
  return count;
}

}  // namespace counterpoise::bench
