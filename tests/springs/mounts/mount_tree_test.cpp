#include "springs/mounts/mount_tree.hpp"

#include <catch2/catch.hpp>

#include "input/text/compressed.hpp"
#include "input/text/input_error.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

MountTree random_tree(int d, Random& random) {
  const DyadicBisection bisection(d);
  MountTree tree;
  DyadicCorners corners;
  const auto add = [&](const auto& self, const DyadicSimplex& simplex, int depth) -> void {
    const bool split = depth < 6 && random.chance(0.6);
    tree.bisected.push_back(split ? 1 : 0);
    if (split) {
      for (const DyadicSimplex& half : bisection.halves(simplex)) self(self, half, depth + 1);
      return;
    }
    if (random.chance(0.5))
      tree.reasons.push_back({BoundReason::Kind::tightened, 0, 0, random.uniform(0.0, 9.0)});
    else if (random.chance(0.5)) {
      BoundReason& reason = tree.reasons.emplace_back();
      reason.kind = BoundReason::Kind::combined;
      for (int i = random.below(4); i > 0; --i)
        reason.loads.push_back({0, random.below(3), i, random.below(100) - 50});
    } else
      tree.reasons.push_back(
          {BoundReason::Kind::corner, static_cast<std::uint8_t>(random.below(d))});
    for (int w = 0; w <= d; ++w) corners.number_of(simplex.corners[w]);
  };
  for (const DyadicSimplex& simplex : bisection.box()) add(add, simplex, 0);
  for (int c = 0; c < corners.count(); ++c) {
    MountTree::Corner& corner = tree.corners.emplace_back();
    corner.value = random.uniform(0.0, 1.0);
    corner.x = {random.uniform(0.0, 1.0), 2.0};
    if (random.chance(0.8)) {
      corner.optimal.emplace();
      corner.optimal->pieces = {{0, random.below(50), 1.0}};
      for (int i = random.below(4); i > 0; --i)
        corner.optimal->witnesses.push_back({0, 1, i, random.uniform(-1.0, 1.0)});
    }
    if (random.chance(0.3)) {
      corner.conflict.emplace();
      corner.conflict->limits = {{-2, 7, random.uniform(0.0, 1.0)}};
    }
  }
  return tree;
}

}  // namespace

TEST_CASE("a tree is read as it was written") {
  Random random(2);
  for (int d = 1; d <= 3; ++d) {
    const MountTree tree = random_tree(d, random);
    const std::string bytes = bytes_of(tree);
    const std::string text = deflated(bytes);
    CHECK(inflated(text, bytes.size()) == bytes);
    CHECK_FALSE(inflated(text, bytes.size() - 1));
    CHECK_FALSE(inflated(text, bytes.size() + 1));
    const MountTree again = mount_tree(bytes);
    CHECK(bytes_of(again) == bytes);
    CHECK(again.leaves(DyadicBisection(d)).size() == tree.reasons.size());
    for (std::size_t i = 0; i < tree.reasons.size(); ++i) {
      CHECK(again.reasons[i].cutoff == tree.reasons[i].cutoff);
      CHECK(again.reasons[i].loads == tree.reasons[i].loads);
    }
  }
}

TEST_CASE("bytes that are no tree are refused") {
  Random random(3);
  const MountTree tree = random_tree(2, random);
  const std::string bytes = bytes_of(tree);
  CHECK_THROWS_AS(mount_tree(bytes + "x"), InputError);
  int refused = 0;
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
    CHECK_THROWS_AS(mount_tree(bytes.substr(0, cut)), InputError);
    ++refused;
  }
  CHECK(refused > 10);
  // any byte changed: another tree, or refused, but never a crash
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ static_cast<char>(1 << random.below(8)));
    try {
      static_cast<void>(mount_tree(other).leaves(DyadicBisection(2)));
    } catch (const InputError&) {
      ++refused;
    }
  }
  MountTree fewer = tree;
  fewer.corners.pop_back();
  CHECK_THROWS_AS(fewer.leaves(DyadicBisection(2)), InputError);
  CHECK_THROWS_AS(tree.leaves(DyadicBisection(3)), InputError);
}
