// Masses of shapes and meshes against closed forms, sums over cubes, and MuJoCo.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>

#include "exchange/shapes/mass_properties.hpp"
#include "tests/exchange/mesh_texts.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using std::numbers::pi;

namespace {

void check_same(const MassProperties& found, const MassProperties& expected, double share) {
  const double size = std::cbrt(expected.volume);
  CHECK(std::abs(found.volume - expected.volume) <= share * expected.volume);
  CHECK(std::abs(found.mass - expected.mass) <= share * expected.mass);
  CHECK((found.com - expected.com).norm() <= share * (size + expected.com.norm()));
  CHECK((found.inertia - expected.inertia).norm() <= share * expected.inertia.norm());
}

MassProperties mass_inside(const TriangleMesh& mesh, double density) {
  const auto found = mesh_mass(mesh, density);
  REQUIRE(found);
  REQUIRE(found->solid == MeshSolid::inside);
  return found->properties;
}

/// Turns, stretches and moves a mesh.
TriangleMesh moved_mesh(TriangleMesh mesh, const Mat3d& axes, const Vec3d& origin) {
  for (Vec3d& vertex : mesh.vertices) vertex = origin + axes * vertex;
  return mesh;
}

void turn_over(TriangleMesh& mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

void append_mesh(TriangleMesh& mesh, const TriangleMesh& other) {
  const auto first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles) mesh.add({first + a, first + b, first + c});
}

/// Cubes with an edge of 1, some of a block, and the surface around them.
struct Cubes {
  static constexpr int edge = 4;
  std::map<std::array<int, 3>, bool> filled;
  TriangleMesh surface;

  explicit Cubes(Random& random) {
    for (int x = 0; x < edge; ++x)
      for (int y = 0; y < edge; ++y)
        for (int z = 0; z < edge; ++z) filled[{x, y, z}] = random.chance(0.6);
    filled[{1, 1, 1}] = true;
    for (const auto& [at, is_filled] : filled)
      if (is_filled)
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {-1, 1}) add_side(at, axis, side);
  }

  void add_side(const std::array<int, 3>& at, std::size_t axis, int side) {
    std::array<int, 3> neighbour = at;
    neighbour[axis] += side;
    const auto beside = filled.find(neighbour);
    if (beside != filled.end() && beside->second) return;
    Vec3d outward = Vec3d::Zero();
    outward(static_cast<Eigen::Index>(axis)) = side;
    const Vec3d u = Vec3d::Unit(static_cast<Eigen::Index>((axis + 1) % 3));
    const Vec3d v = outward.cross(u);
    const Vec3d middle = Vec3d(at[0], at[1], at[2]) + 0.5 * outward;
    const auto first = static_cast<int>(surface.vertices.size());
    for (const auto& [a, b] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      surface.vertices.push_back(middle + a * u + b * v);
    surface.add({first, first + 1, first + 2});
    surface.add({first, first + 2, first + 3});
  }

  [[nodiscard]] MassProperties sum(const Mat3d& rotation, const Vec3d& origin, double size,
                                   double density) const {
    std::vector<MassProperties> solids;
    for (const auto& [at, is_filled] : filled)
      if (is_filled)
        solids.push_back(placed(mass_of(BoxShape{Vec3d::Constant(size)}, density),
                                origin + rotation * (size * Vec3d(at[0], at[1], at[2])), rotation));
    return together(solids);
  }
};

}  // namespace

TEST_CASE("closed forms of shapes agree with textbooks") {
  const MassProperties box = mass_of(BoxShape{{0.2, 0.4, 0.1}}, 1000.0);
  CHECK(box.mass == Approx(8.0));
  CHECK(box.inertia.diagonal().isApprox(8.0 / 12.0 * Vec3d(0.17, 0.05, 0.2), 1e-14));
  const MassProperties cylinder = mass_of(CylinderShape{0.1, 0.5}, 500.0);
  CHECK(cylinder.mass == Approx(500.0 * pi * 0.01 * 0.5));
  CHECK(cylinder.inertia(0, 0) == Approx(cylinder.mass * (0.01 / 4.0 + 0.25 / 12.0)));
  CHECK(cylinder.inertia(2, 2) == Approx(cylinder.mass * 0.01 / 2.0));
  const MassProperties sphere = mass_of(SphereShape{0.3}, 100.0);
  CHECK(sphere.mass == Approx(100.0 * 4.0 / 3.0 * pi * 0.027));
  CHECK(sphere.inertia.isApprox(0.4 * sphere.mass * 0.09 * Mat3d::Identity(), 1e-14));
}

TEST_CASE("a capsule is a cylinder with two half balls") {
  const double r = 0.2, l = 0.7, density = 300.0;
  // a half ball about its own centre of mass, from a ball that is cut in two
  MassProperties half = mass_of(SphereShape{r}, density);
  half.mass /= 2.0;
  half.volume /= 2.0;
  const double off = 3.0 / 8.0 * r;
  half.inertia /= 2.0;
  half.inertia.diagonal() -= half.mass * off * off * Vec3d(1.0, 1.0, 0.0);
  const std::vector<MassProperties> parts = {
      mass_of(CylinderShape{r, l}, density),
      placed(half, {0.0, 0.0, l / 2.0 + off}, Mat3d::Identity()),
      placed(half, {0.0, 0.0, -l / 2.0 - off}, Mat3d::Identity())};
  check_same(mass_of(CapsuleShape{r, l}, density), together(parts), 1e-13);
}

TEST_CASE("a mesh of a box has the mass of the box, wherever it stands") {
  Random random(11);
  for (int trial = 0; trial < trials(100); ++trial) {
    const Vec3d size = Vec3d(0.3, 0.5, 0.2) + random.vector(0.1);
    const Mat3d rotation = random.rotation();
    const Vec3d origin = random.vector(5.0);
    check_same(mass_inside(moved_mesh(box_mesh(size), rotation, origin), 700.0),
               placed(mass_of(BoxShape{size}, 700.0), origin, rotation), 1e-11);
  }
}

TEST_CASE("a cylinder of facets is a prism over a polygon") {
  const double radius = 0.2, length = 0.6, density = 800.0;
  constexpr int n = 32;
  const double area = n / 2.0 * radius * radius * std::sin(2.0 * pi / n);
  const double polar = area * radius * radius / 6.0 * (2.0 + std::cos(2.0 * pi / n));
  MassProperties prism{.volume = area * length, .mass = density * area * length};
  const double across = density * length * polar / 2.0 + prism.mass * length * length / 12.0;
  prism.inertia.diagonal() = Vec3d(across, across, density * length * polar);
  check_same(mass_inside(surface_of({.shape = CylinderShape{radius, length}}), density), prism,
             1e-12);
}

TEST_CASE("meshes of round shapes lie inside these, and nearly fill them") {
  for (const Shape& shape : {Shape(SphereShape{0.3}), Shape(CapsuleShape{0.1, 0.4})}) {
    const MassProperties mesh = mass_inside(surface_of({.shape = shape}), 1.0);
    const double volume = mass_of(std::array{PlacedShape{.shape = shape}}, 1.0).properties.volume;
    CHECK(mesh.volume < volume);
    CHECK(mesh.volume > 0.98 * volume);
  }
}

TEST_CASE("a tetrahedron has the moments that integration by hand gives") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& triangle : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}})
    mesh.add(triangle);
  // the integrals of x^2 and of x y over it are 1/60 and 1/120
  MassProperties expected{.volume = 1.0 / 6.0, .mass = 1.0, .com = Vec3d::Constant(0.25)};
  const double square = 6.0 * (1.0 / 60.0 - 1.0 / 96.0), mixed = 6.0 * (1.0 / 120.0 - 1.0 / 96.0);
  expected.inertia = Mat3d::Constant(-mixed);
  expected.inertia.diagonal().setConstant(2.0 * square);
  check_same(mass_inside(mesh, 6.0), expected, 1e-12);
}

TEST_CASE("what random cubes enclose, with holes and cavities, is the sum of the cubes") {
  Random random(12);
  for (int trial = 0; trial < trials(200); ++trial) {
    CAPTURE(trial);
    const Cubes cubes(random);
    const Mat3d rotation = random.rotation();
    const Vec3d origin = random.vector(3.0);
    const double size = random.uniform(0.01, 0.3);
    check_same(mass_inside(moved_mesh(cubes.surface, size * rotation, origin), 900.0),
               cubes.sum(rotation, origin, size, 900.0), 1e-10);
  }
}

TEST_CASE("corners that rounding has moved apart are one") {
  Random random(13);
  const Cubes cubes(random);
  TriangleMesh mesh = cubes.surface;
  for (Vec3d& vertex : mesh.vertices) vertex += random.vector(1e-7);
  check_same(mass_inside(mesh, 1.0), cubes.sum(Mat3d::Identity(), Vec3d::Zero(), 1.0, 1.0), 1e-5);
}

TEST_CASE("a mesh that looks inward is turned, as a whole or a part of it") {
  const MassProperties expected = mass_of(BoxShape{{1.0, 2.0, 3.0}}, 10.0);
  TriangleMesh mesh = box_mesh({1.0, 2.0, 3.0});
  turn_over(mesh);
  const auto turned = mesh_mass(mesh, 10.0);
  REQUIRE(turned);
  CHECK(turned->solid == MeshSolid::turned);
  check_same(turned->properties, expected, 1e-12);

  TriangleMesh inward = moved_mesh(box_mesh({0.5, 0.5, 0.5}), Mat3d::Identity(), {4.0, 0.0, 0.0});
  turn_over(inward);
  TriangleMesh both = box_mesh({1.0, 2.0, 3.0});
  append_mesh(both, inward);
  CHECK(mass_inside(both, 1.0).volume == Approx(6.125).epsilon(1e-12));

  TriangleMesh cavity = box_mesh({0.5, 0.5, 0.5});
  turn_over(cavity);
  TriangleMesh hollow = box_mesh({1.0, 2.0, 3.0});
  append_mesh(hollow, cavity);
  CHECK(mass_inside(hollow, 1.0).volume == Approx(5.875).epsilon(1e-12));
}

TEST_CASE("an open mesh has the mass of its convex hull") {
  const Mat3d rotation = Eigen::AngleAxisd(0.7, Vec3d(1.0, 2.0, 3.0).normalized()).matrix();
  TriangleMesh mesh = moved_mesh(box_mesh({0.3, 0.4, 0.5}), rotation, {10.0, 20.0, 30.0});
  mesh.triangles.pop_back();
  mesh.colours.pop_back();
  const auto found = mesh_mass(mesh, 2.0);
  REQUIRE(found);
  CHECK(found->solid == MeshSolid::hull);
  check_same(found->properties,
             placed(mass_of(BoxShape{{0.3, 0.4, 0.5}}, 2.0), {10.0, 20.0, 30.0}, rotation), 1e-9);
}

TEST_CASE("a flat mesh has no mass") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  mesh.add({0, 1, 2});
  mesh.add({1, 3, 2});
  CHECK_FALSE(mesh_mass(mesh, 1.0));
  mesh.add({0, 2, 1});
  mesh.add({1, 2, 3});
  CHECK_FALSE(mesh_mass(mesh, 1.0));
}

TEST_CASE("shapes of a body add up, and assumptions about meshes are noted at their places") {
  TriangleMesh open = box_mesh({0.1, 0.2, 0.3});
  open.triangles.pop_back();
  const std::string file = written_mesh("open.stl", binary_stl(open));
  const Mat3d quarter = Eigen::AngleAxisd(pi / 2.0, Vec3d::UnitX()).matrix();
  const std::vector<PlacedShape> shapes = {{.shape = SphereShape{0.1}, .origin = {1.0, 0.0, 0.0}},
                                           {.shape = MeshShape{file, {2.0, -1.0, 1.0}},
                                            .origin = {0.0, 0.5, 0.0},
                                            .rotation = quarter,
                                            .where = {.file = "robot.urdf", .line = 7}}};
  const ShapesMass found = mass_of(shapes, 1000.0);
  const std::vector<MassProperties> expected = {
      placed(mass_of(SphereShape{0.1}, 1000.0), {1.0, 0.0, 0.0}, Mat3d::Identity()),
      placed(mass_of(BoxShape{{0.2, 0.2, 0.3}}, 1000.0), {0.0, 0.5, 0.0}, quarter)};
  check_same(found.properties, together(expected), 1e-6);
  REQUIRE(found.remarks.size() == 1);
  CHECK(found.remarks[0].where.line == 7);
  CHECK(found.remarks[0].text.find("is open: its convex hull, of 12 dm^3") != std::string::npos);
}

TEST_CASE("a solid is given another mass") {
  const MassProperties box = mass_of(BoxShape{{0.2, 0.4, 0.1}}, 1000.0);
  check_same(with_mass(box, 4.0), mass_of(BoxShape{{0.2, 0.4, 0.1}}, 500.0), 1e-14);
}
