// Meshes of every format that is read, and files that are refused.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "exchange/shapes/mass_properties.hpp"
#include "tests/exchange/mesh_texts.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Location place = {.file = "robot.urdf", .line = 12, .column = 5};

Eigen::AlignedBox3d box_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3d& vertex : mesh.vertices) box.extend(vertex);
  return box;
}

/// A box with corners at these places, closed and looking outward.
void check_box(const TriangleMesh& mesh, const Vec3d& low, const Vec3d& high) {
  CHECK((box_of(mesh).min() - low).norm() < 1e-6);
  CHECK((box_of(mesh).max() - high).norm() < 1e-6);
  const auto mass = mesh_mass(mesh, 1.0);
  REQUIRE(mass);
  CHECK(mass->solid == MeshSolid::inside);
  CHECK(mass->properties.volume == Approx((high - low).prod()).epsilon(1e-5));
}

std::string refusal(const std::string& file) {
  try {
    read_mesh(file, place);
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).starts_with("robot.urdf:12:5: the mesh \""));
    return error.what();
  }
  FAIL("read " << file);
  return {};
}

const Vec3d size = {0.1, 0.2, 0.4};

}  // namespace

TEST_CASE("STL and OBJ are read as they are") {
  const TriangleMesh box = box_mesh(size);
  for (const auto& [name, text] : {std::pair("binary.stl", binary_stl(box)),
                                   {"ascii.STL", ascii_stl(box)},
                                   {"box.obj", obj_of(box)}}) {
    CAPTURE(name);
    const TriangleMesh mesh = read_mesh(written_mesh(name, text), place);
    CHECK(mesh.triangles.size() == 12);
    CHECK(mesh.palette.empty());
    check_box(mesh, -size / 2.0, size / 2.0);
  }
}

TEST_CASE("faces of OBJ are cut into triangles, and materials beside it give colours") {
  written_mesh("paint.mtl", "newmtl blue\nKd 0.1 0.2 0.9\n");
  const TriangleMesh mesh =
      read_mesh(written_mesh("quad.obj",
                             "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                             "usemtl blue\nf 1 2 3 4\n"),
                place);
  CHECK(mesh.triangles.size() == 2);
  REQUIRE(mesh.colours[0] >= 0);
  const Colour& colour = mesh.palette[static_cast<std::size_t>(mesh.colours[0])];
  CHECK(colour[2] == Approx(0.9));
}

TEST_CASE("materials in other folders are not read") {
  std::filesystem::create_directories(COUNTERPOISE_TEST_DIR "/inner");
  written_mesh("paint.mtl", "newmtl blue\nKd 0.1 0.2 0.9\n");
  const TriangleMesh mesh =
      read_mesh(written_mesh("inner/quad.obj",
                             "mtllib ../paint.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\n"
                             "usemtl blue\nf 1 2 3\n"),
                place);
  for (const int colour : mesh.colours)
    if (colour >= 0) CHECK(mesh.palette[static_cast<std::size_t>(colour)][2] != Approx(0.9));
}

TEST_CASE("of COLLADA units and nodes count, and the axis that points up does not") {
  for (const char* up : {"X_UP", "Y_UP", "Z_UP"}) {
    CAPTURE(up);
    const TriangleMesh mesh = read_mesh(
        written_mesh("box.dae", collada(box_mesh({100.0, 200.0, 400.0}), "0.001", up,
                                        "0 -1 0 1000  1 0 0 0  0 0 1 0  0 0 0 1", "1 0.5 0 1")),
        place);
    check_box(mesh, {0.9, -0.05, -0.2}, {1.1, 0.05, 0.2});
    REQUIRE(mesh.colours[0] >= 0);
    CHECK(mesh.palette[static_cast<std::size_t>(mesh.colours[0])] == Colour{1.0, 0.5, 0.0});
  }
}

TEST_CASE("a node that mirrors leaves triangles that look outward") {
  const TriangleMesh mesh = read_mesh(
      written_mesh("mirrored.dae", collada(box_mesh(size), "1", "Z_UP",
                                           "-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1", "1 1 1 1")),
      place);
  check_box(mesh, -size / 2.0, size / 2.0);
}

TEST_CASE("glTF, whose y points up, is turned so that z does") {
  const TriangleMesh box = box_mesh(size);
  for (const auto& [name, text] :
       {std::pair("box.gltf", gltf(box, 1.0)), {"box.glb", glb(box, 1.0)}}) {
    CAPTURE(name);
    const TriangleMesh mesh = read_mesh(written_mesh(name, text), place);
    check_box(mesh, {0.95, -0.2, -0.1}, {1.05, 0.2, 0.1});
    REQUIRE(mesh.colours[0] >= 0);
    CHECK(mesh.palette[static_cast<std::size_t>(mesh.colours[0])] == Colour{0.25, 0.5, 0.75});
  }
}

TEST_CASE("files that are no meshes are refused at the place that names them") {
  const TriangleMesh box = box_mesh(size);
  CHECK(refusal(COUNTERPOISE_TEST_DIR "/absent.stl").find("is no file") != std::string::npos);
  CHECK(refusal(COUNTERPOISE_TEST_DIR).find("ends in") != std::string::npos);
  CHECK(refusal("/dev/zero").find("ends in") != std::string::npos);
  std::filesystem::create_directories(COUNTERPOISE_TEST_DIR "/folder.stl");
  CHECK(refusal(COUNTERPOISE_TEST_DIR "/folder.stl").find("is no file") != std::string::npos);
  CHECK(refusal(written_mesh("part.step", "ISO-10303-21;")).find("expected one of .stl, .obj") !=
        std::string::npos);
  const std::string stl = binary_stl(box);
  for (const std::size_t length : {0U, 10U, 84U, 100U, 600U})
    refusal(written_mesh("cut.stl", stl.substr(0, length)));
  refusal(written_mesh("no.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"));
  refusal(written_mesh("beyond.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"));
  refusal(written_mesh("words.dae", "<COLLADA><library_geometries>"));
  refusal(written_mesh("words.gltf", "{\"asset\": "));
  refusal(written_mesh("other.gltf", obj_of(box)));
  refusal(written_mesh("cut.glb", glb(box, 1.0).substr(0, 60)));
}

TEST_CASE("coordinates that are no finite numbers are refused") {
  std::string stl = binary_stl(box_mesh(size));
  const std::array<unsigned char, 4> not_a_number = {0, 0, 0xC0, 0x7F};
  for (std::size_t i = 0; i < 4; ++i) stl[84 + 12 + i] = static_cast<char>(not_a_number[i]);
  CHECK(refusal(written_mesh("nan.stl", stl)).find("not a finite number") != std::string::npos);
}

TEST_CASE("meshes that are too large or nested too deep are refused before they are read") {
  const std::string huge = written_mesh("huge.stl", "");
  std::filesystem::resize_file(huge, largest_mesh_file + 1);
  CHECK(refusal(huge).find("expected at most 100 MB") != std::string::npos);
  std::filesystem::remove(huge);

  std::string nodes;
  for (int i = 0; i < 100'000; ++i) nodes += "<node>";
  CHECK(refusal(written_mesh("deep.dae", "<COLLADA>" + nodes)).find("more than 200 deep") !=
        std::string::npos);
  CHECK(refusal(written_mesh("circle.gltf", R"({"nodes": [{"children": [1]}, {"children": [0]}]})"))
            .find("in a circle") != std::string::npos);
  CHECK(refusal(written_mesh("arrays.gltf", std::string(100'000, '['))).find("is broken") !=
        std::string::npos);
}
