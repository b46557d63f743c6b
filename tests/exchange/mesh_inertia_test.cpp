// Masses of closed meshes, which have closed forms, by our own sums, by import of MJCF, and by
// MuJoCo 2.2.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "exchange/shapes/mass_properties.hpp"
#include "tests/exchange/mujoco_comparison.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double density = 1000.0;

/// A mesh and what it encloses. All places are numbers of single precision, as MuJoCo keeps them,
/// but those of the icosahedron.
struct Solid {
  const char* name;
  TriangleMesh mesh;
  MassProperties expected;
};

/// A prism over a polygon in x and y whose corners, cut into triangles, go around to the left.
TriangleMesh prism(const std::vector<Vec3d>& corners,
                   const std::vector<TriangleMesh::Triangle>& triangles, double height) {
  TriangleMesh mesh;
  const auto n = static_cast<int>(corners.size());
  mesh.vertices = corners;
  for (const Vec3d& corner : corners) mesh.vertices.push_back(corner + height * Vec3d::UnitZ());
  for (const auto& [a, b, c] : triangles) {
    mesh.add({c, b, a});
    mesh.add({a + n, b + n, c + n});
  }
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    mesh.add({i, next, next + n});
    mesh.add({i, next + n, i + n});
  }
  return mesh;
}

MassProperties box_at(const Vec3d& size, const Vec3d& centre) {
  return placed(mass_of(BoxShape{size}, density), centre, Mat3d::Identity());
}

Solid cube() {
  return {"cube",
          prism({{0.5, -0.25, 1.0}, {0.75, -0.25, 1.0}, {0.75, 0.0, 1.0}, {0.5, 0.0, 1.0}},
                {{0, 1, 2}, {0, 2, 3}}, 0.25),
          box_at(Vec3d::Constant(0.25), {0.625, -0.125, 1.125})};
}

/// Two boxes that make an L, which is not convex.
Solid l_prism() {
  return {
      "L",
      prism(
          {{0, 0, 0}, {0.75, 0, 0}, {0.75, 0.25, 0}, {0.25, 0.25, 0}, {0.25, 0.5, 0}, {0, 0.5, 0}},
          {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 0.375),
      together(std::array{box_at({0.75, 0.25, 0.375}, {0.375, 0.125, 0.1875}),
                          box_at({0.25, 0.25, 0.375}, {0.125, 0.375, 0.1875})})};
}

/// The corner of a box far from the origin.
Solid tetrahedron() {
  const Vec3d corner(50.0, -30.0, 20.0), edges(0.25, 0.5, 0.75);
  Solid solid{"tetrahedron", {}, {.volume = edges.prod() / 6.0, .com = corner + edges / 4.0}};
  solid.mesh.vertices = {corner};
  for (int axis = 0; axis < 3; ++axis)
    solid.mesh.vertices.push_back(corner + edges[axis] * Vec3d::Unit(axis));
  for (const auto& triangle : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}})
    solid.mesh.add(triangle);
  solid.expected.mass = density * solid.expected.volume;
  // the mean of x^2 about the centre is 3/80 a^2, and that of x y is -1/80 a b
  Mat3d squares = -edges * edges.transpose();
  squares.diagonal() = 3.0 * edges.cwiseAbs2();
  squares *= solid.expected.mass / 80.0;
  solid.expected.inertia = squares.trace() * Mat3d::Identity() - squares;
  return solid;
}

/// With corners at a distance from the origin.
Solid icosahedron(double radius) {
  const double phi = std::numbers::phi, edge = 2.0 * radius / std::hypot(1.0, phi);
  Solid solid{"icosahedron", {}, {.volume = 5.0 / 6.0 * phi * phi * edge * edge * edge}};
  for (const double one : {-1.0, 1.0})
    for (const double other : {-phi, phi})
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d corner = Vec3d::Zero();
        corner[axis] = one;
        corner[(axis + 1) % 3] = other;
        solid.mesh.vertices.push_back(edge / 2.0 * corner);
      }
  const auto at = [&](int i) { return solid.mesh.vertices[static_cast<std::size_t>(i)]; };
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = a + 1; c < 12; ++c)
        // where b is c, a fused multiplication leaves a rounding of 0
        if (b != c && at(a).dot(at(b).cross(at(c))) > 0.0 && (at(a) - at(b)).norm() < 1.01 * edge &&
            (at(b) - at(c)).norm() < 1.01 * edge && (at(c) - at(a)).norm() < 1.01 * edge)
          solid.mesh.add({a, b, c});
  solid.expected.mass = density * solid.expected.volume;
  solid.expected.inertia = solid.expected.mass * phi * phi * edge * edge / 10.0 * Mat3d::Identity();
  return solid;
}

/// Every triangle becomes four, whose corners lie as far from the origin as the old ones.
TriangleMesh finer(const TriangleMesh& mesh) {
  TriangleMesh made;
  const double radius = mesh.vertices.front().norm();
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
    const auto first = static_cast<int>(made.vertices.size());
    for (const Vec3d& corner : {at(a), at(b), at(c)}) made.vertices.push_back(corner);
    for (const Vec3d& middle : {Vec3d(at(a) + at(b)), Vec3d(at(b) + at(c)), Vec3d(at(c) + at(a))})
      made.vertices.push_back(radius * middle.normalized());
    for (const auto& [i, j, k] : {std::array{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      made.add({first + i, first + j, first + k});
  }
  return welded(made, 1e-9);
}

std::vector<Solid> solids() {
  return {cube(), l_prism(), tetrahedron(), icosahedron(0.3)};
}

Vec3d moments_from_the_largest(const Mat3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Mat3d>(inertia).eigenvalues().reverse();
}

void check_same(double mass, const Vec3d& centre, const Vec3d& moments,
                const MassProperties& expected, double share) {
  const double size = std::cbrt(expected.volume);
  CHECK(std::abs(mass - expected.mass) <= share * expected.mass);
  CHECK((centre - expected.com).norm() <= share * (size + expected.com.norm()));
  const Vec3d of_closed_form = moments_from_the_largest(expected.inertia);
  CHECK((moments - of_closed_form).norm() <= share * of_closed_form.norm());
}

std::string mjcf_of(const TriangleMesh& mesh, const char* compiler, const char* attributes) {
  std::string vertices, faces;
  for (const Vec3d& v : mesh.vertices) vertices += fmt::format("{} {} {} ", v.x(), v.y(), v.z());
  for (const auto& [a, b, c] : mesh.triangles) faces += fmt::format("{} {} {} ", a, b, c);
  return written(
      "mesh.xml",
      fmt::format("<mujoco><compiler {}/><asset><mesh name=\"m\" vertex=\"{}\" "
                  "face=\"{}\" {}/></asset><worldbody><body><joint name=\"j\"/><geom "
                  "type=\"mesh\" mesh=\"m\" density=\"{}\"/></body></worldbody></mujoco>",
                  compiler, vertices, faces, attributes, density));
}

Body imported_body(const TriangleMesh& mesh, const char* compiler, const char* attributes) {
  return imported(mjcf_of(mesh, compiler, attributes)).nominal.bodies.back();
}

}  // namespace

TEST_CASE("closed meshes have the masses and inertias of closed forms") {
  for (const Solid& solid : solids()) {
    CAPTURE(solid.name);
    const auto found = mesh_mass(solid.mesh, density);
    REQUIRE(found);
    CHECK(found->solid == MeshSolid::inside);
    const MassProperties& properties = found->properties;
    check_same(properties.mass, properties.com, moments_from_the_largest(properties.inertia),
               solid.expected, 1e-11);
    CHECK((properties.inertia - solid.expected.inertia).norm() <=
          1e-11 * solid.expected.inertia.norm());
  }
}

TEST_CASE("with each step from an icosahedron to a ball, a quarter of what is missing is left") {
  const double radius = 0.3;
  const MassProperties ball = mass_of(SphereShape{radius}, density);
  TriangleMesh mesh = finer(icosahedron(radius).mesh);
  Vec3d missing = Vec3d::Zero();  // mass, a moment
  for (int step = 0; step < 3; ++step) {
    mesh = finer(mesh);
    const auto found = mesh_mass(mesh, density);
    REQUIRE(found);
    const Vec3d before = missing;
    missing = {ball.mass - found->properties.mass,
               ball.inertia(0, 0) - found->properties.inertia(0, 0), 0.0};
    CHECK(missing.x() > 0.0);
    if (step == 0) continue;
    CHECK(missing.x() / before.x() == Approx(0.25).epsilon(0.03));
    CHECK(missing.y() / before.y() == Approx(0.25).epsilon(0.03));
  }
}

TEST_CASE("closed meshes of MJCF have the masses of closed forms, here and in MuJoCo 2.2") {
  constexpr double single = 1e-6;  // MuJoCo's meshes are of single precision
  for (const Solid& solid : solids()) {
    CAPTURE(solid.name);
    const double share = std::string(solid.name) == "icosahedron" ? single : 1e-9;
    for (const auto& [compiler, attributes] :
         {std::pair("exactmeshinertia=\"true\"", ""), {"", "inertia=\"exact\""}}) {
      const Body body = imported_body(solid.mesh, compiler, attributes);
      check_same(body.mass, body.com, moments_from_the_largest(body.inertia), solid.expected,
                 share);
    }
    const oracle::MjcfRobot robot(mjcf_of(solid.mesh, "exactmeshinertia=\"true\"", ""));
    const oracle::BodyMass theirs = robot.mass_of(1);
    check_same(theirs.mass, Vec3d(theirs.centre.data()), Vec3d(theirs.moments.data()),
               solid.expected, single);
  }
}

TEST_CASE("without exactmeshinertia, MuJoCo 2.2 weighs the box that has the inertia of a mesh") {
  // so the mass of a mesh that is no box is wrong there by as much as this box is larger
  constexpr double single = 1e-6;
  for (const Solid& solid : solids()) {
    CAPTURE(solid.name);
    const Body body = imported_body(solid.mesh, "", "");  // MuJoCo's of today
    const Vec3d moments = moments_from_the_largest(body.inertia);
    const Vec3d sides =
        (6.0 / body.mass * (Vec3d::Constant(moments.sum()) - 2.0 * moments)).cwiseSqrt();
    const oracle::MjcfRobot robot(mjcf_of(solid.mesh, "", ""));
    const oracle::BodyMass theirs = robot.mass_of(1);
    CHECK(theirs.mass == Approx(density * sides.prod()).epsilon(single));
    CHECK(theirs.moments[0] / theirs.mass == Approx(moments[0] / body.mass).epsilon(single));
    const bool is_box = std::string(solid.name) == "cube";
    CHECK((std::abs(theirs.mass - solid.expected.mass) <= single * solid.expected.mass) == is_box);
  }
}
