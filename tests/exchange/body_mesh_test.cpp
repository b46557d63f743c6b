// What bodies look like on pages: one mesh, its colours, its number of triangles.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numbers>
#include <set>
#include <sstream>

#include "exchange/shapes/body_mesh.hpp"
#include "exchange/shapes/mass_properties.hpp"
#include "tests/exchange/mesh_texts.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using std::numbers::pi;

namespace {

/// The mesh that a text of OBJ describes, and the colours behind its vertices.
struct ReadObj {
  TriangleMesh mesh;
  std::set<std::string> colours;

  explicit ReadObj(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind, colour;
      words >> kind;
      if (kind == "v") {
        Vec3d& at = mesh.vertices.emplace_back();
        words >> at.x() >> at.y() >> at.z();
        std::getline(words >> std::ws, colour);
        colours.insert(colour);
      } else {
        REQUIRE(kind == "f");
        TriangleMesh::Triangle triangle{};
        for (int& corner : triangle) {
          words >> corner;
          REQUIRE(corner >= 1);
          REQUIRE(static_cast<std::size_t>(corner) <= mesh.vertices.size());
          --corner;
        }
        mesh.add(triangle);
      }
    }
  }
};

/// A ball with bumps, of 2 * rings * around triangles.
TriangleMesh bumpy_ball(int rings, int around) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < around; ++k) {
      const double latitude = pi * i / rings, angle = 2.0 * pi * k / around;
      const double across = i == 0 || i == rings ? 0.0 : std::sin(latitude);
      const double radius = 0.1 + 0.005 * std::sin(5.0 * angle) * across;
      mesh.vertices.push_back(
          radius * Vec3d(across * std::cos(angle), across * std::sin(angle), std::cos(latitude)));
    }
  const auto at = [&](int i, int k) { return i * around + k % around; };
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < around; ++k) {
      mesh.add({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.add({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  return mesh;
}

}  // namespace

TEST_CASE("all shapes of a body become one mesh in its axes") {
  const std::string file = written_mesh("looks.stl", binary_stl(box_mesh({1.0, 1.0, 1.0})));
  const std::vector<PlacedShape> shapes = {
      {.shape = BoxShape{{0.2, 0.2, 0.2}}, .origin = {1.0, 0.0, 0.0}},
      {.shape = CylinderShape{0.1, 0.4}, .origin = {0.0, 2.0, 0.0}},
      {.shape = MeshShape{file, {0.1, 0.2, -0.3}}, .origin = {0.0, 0.0, 3.0}}};
  const WrittenMesh written = body_mesh(shapes, 10'000);
  const ReadObj read(written.obj);
  CHECK(written.triangles == read.mesh.triangles.size());
  CHECK(written.drawn == written.triangles);
  CHECK(read.colours == std::set<std::string>{""});
  const auto mass = mesh_mass(read.mesh, 1.0);
  REQUIRE(mass);
  CHECK(mass->solid == MeshSolid::inside);
  CHECK(mass->properties.volume ==
        Approx(0.008 + 0.006 + 0.4 * 16.0 * 0.01 * std::sin(pi / 16.0)).epsilon(1e-4));
}

TEST_CASE("meshes keep their colours, and other shapes get the description's") {
  const std::string file =
      written_mesh("orange.dae", collada(box_mesh({1.0, 1.0, 1.0}), "1", "Z_UP",
                                         "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1", "1 0.5 0 1"));
  const Colour blue = {0.0, 0.25, 1.0};
  const std::vector<PlacedShape> shapes = {{.shape = MeshShape{file}, .colour = blue},
                                           {.shape = SphereShape{0.2}, .colour = blue},
                                           {.shape = BoxShape{{0.1, 0.1, 0.1}}}};
  CHECK(ReadObj(body_mesh(shapes, 10'000).obj).colours ==
        std::set<std::string>{"1 0.5 0", "0 0.25 1", "0.7 0.7 0.7"});
}

TEST_CASE("a mesh with too many triangles keeps its shape with fewer") {
  const std::string file = written_mesh("ball.stl", binary_stl(bumpy_ball(150, 150)));
  const std::vector<PlacedShape> shapes = {{.shape = MeshShape{file}}};
  const WrittenMesh written = body_mesh(shapes, 2'000);
  CHECK(written.drawn > 40'000);
  CHECK(written.triangles <= 2'000);
  CHECK(written.triangles > 1'500);
  const ReadObj read(written.obj);
  const auto whole = mesh_mass(read_mesh(file, {}), 1.0), less = mesh_mass(read.mesh, 1.0);
  REQUIRE(whole);
  REQUIRE(less);
  CHECK(less->solid == MeshSolid::inside);
  CHECK(less->properties.volume == Approx(whole->properties.volume).epsilon(0.01));
  CHECK((less->properties.com - whole->properties.com).norm() < 1e-3);
}

TEST_CASE("where two colours meet, the surface stays closed with fewer triangles") {
  const TriangleMesh ball = bumpy_ball(100, 100);
  std::array<TriangleMesh, 2> halves;
  for (const auto& triangle : ball.triangles)
    halves[triangle[0] < static_cast<int>(ball.vertices.size()) / 2 ? 0 : 1].add(triangle);
  std::vector<PlacedShape> shapes;
  for (std::size_t half = 0; half < 2; ++half) {
    halves[half].vertices = ball.vertices;
    shapes.push_back({.shape = MeshShape{written_mesh(fmt::format("half{}.stl", half),
                                                      binary_stl(halves[half]))},
                      .colour = Colour{half == 0 ? 1.0 : 0.0, 0.0, 0.0}});
  }
  const ReadObj read(body_mesh(shapes, 1'000).obj);
  CHECK(read.mesh.triangles.size() <= 1'000);
  CHECK(read.colours == std::set<std::string>{"1 0 0", "0 0 0"});
  const auto mass = mesh_mass(read.mesh, 1.0);
  REQUIRE(mass);
  CHECK(mass->solid == MeshSolid::inside);
}

TEST_CASE("thousands of separate parts are reduced to the number all the same") {
  Random random(15);
  TriangleMesh screws;
  for (int i = 0; i < 2'000; ++i) {
    const Vec3d at = random.vector(0.5);
    const auto first = static_cast<int>(screws.vertices.size());
    for (int k = 0; k < 4; ++k) screws.vertices.push_back(at + random.vector(0.01));
    for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}})
      screws.add({first + a, first + b, first + c});
  }
  const std::vector<PlacedShape> shapes = {
      {.shape = MeshShape{written_mesh("screws.stl", binary_stl(screws))}}};
  const WrittenMesh written = body_mesh(shapes, 1'000);
  CHECK(written.triangles > 0);
  CHECK(written.triangles <= 1'000);
}

TEST_CASE("a body without shapes has no mesh, and many bodies share the triangles of a page") {
  CHECK(body_mesh({}, 100).obj.empty());
  CHECK(triangles_of_each(0) == 10'000);
  CHECK(triangles_of_each(8) == 10'000);
  CHECK(triangles_of_each(60) == 2'000);
}
