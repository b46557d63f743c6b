#include "tests/exchange/mesh_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <fstream>
#include <span>

#include "input/text/compressed.hpp"

namespace counterpoise::test {
namespace {

template <class Number>
void append_bytes(std::string& bytes, const Number& number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

const Vec3d& corner_of(const TriangleMesh& mesh, int vertex) {
  return mesh.vertices[static_cast<std::size_t>(vertex)];
}

/// Positions, then indices, as glTF holds them.
std::string gltf_numbers(const TriangleMesh& mesh) {
  std::string bytes;
  for (const Vec3d& vertex : mesh.vertices)
    for (const double number : vertex) append_bytes(bytes, static_cast<float>(number));
  for (const auto& triangle : mesh.triangles)
    for (const int vertex : triangle) append_bytes(bytes, static_cast<std::uint32_t>(vertex));
  return bytes;
}

std::string gltf_json(const TriangleMesh& mesh, double along_x, const std::string& uri) {
  Vec3d low = mesh.vertices.front(), high = low;
  for (const Vec3d& vertex : mesh.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const std::size_t places = 12 * mesh.vertices.size(), indices = 12 * mesh.triangles.size();
  return fmt::format(
      R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
"nodes": [{{"mesh": 0, "translation": [{}, 0, 0]}}],
"materials": [{{"pbrMetallicRoughness": {{"baseColorFactor": [0.25, 0.5, 0.75, 1]}}}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1, "material": 0}}]}}],
"buffers": [{{{}"byteLength": {}}}],
"bufferViews": [{{"buffer": 0, "byteOffset": 0, "byteLength": {}}},
  {{"buffer": 0, "byteOffset": {}, "byteLength": {}}}],
"accessors": [{{"bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3",
    "min": [{}, {}, {}], "max": [{}, {}, {}]}},
  {{"bufferView": 1, "componentType": 5125, "count": {}, "type": "SCALAR"}}]}})",
      along_x, uri, places + indices, places, places, indices, mesh.vertices.size(), low.x(),
      low.y(), low.z(), high.x(), high.y(), high.z(), 3 * mesh.triangles.size());
}

}  // namespace

std::string binary_stl(const TriangleMesh& mesh) {
  std::string bytes(80, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    bytes.append(12, '\0');  // the normal
    for (const int vertex : triangle)
      for (const double number : corner_of(mesh, vertex))
        append_bytes(bytes, static_cast<float>(number));
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string ascii_stl(const TriangleMesh& mesh) {
  std::string text = "solid part\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int vertex : triangle) {
      const Vec3d& at = corner_of(mesh, vertex);
      text += fmt::format("vertex {:.8e} {:.8e} {:.8e}\n", at.x(), at.y(), at.z());
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

std::string obj_of(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3d& at : mesh.vertices)
    text += fmt::format("v {:.8e} {:.8e} {:.8e}\n", at.x(), at.y(), at.z());
  for (const auto& [a, b, c] : mesh.triangles)
    text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  return text;
}

std::string collada(const TriangleMesh& mesh, const std::string& unit, const std::string& up_axis,
                    const std::string& matrix, const std::string& diffuse) {
  std::vector<double> places;
  for (const Vec3d& at : mesh.vertices) places.insert(places.end(), {at.x(), at.y(), at.z()});
  std::vector<int> indices;
  for (const auto& triangle : mesh.triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  return fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="{}" name="unit"/><up_axis>{}</up_axis></asset>
  <library_effects><effect id="paint-effect"><profile_COMMON><technique sid="common"><phong>
    <diffuse><color>{}</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="paint" name="paint"><instance_effect url="#paint-effect"/></material></library_materials>
  <library_geometries><geometry id="part"><mesh>
    <source id="places"><float_array id="numbers" count="{}">{}</float_array>
      <technique_common><accessor source="#numbers" count="{}" stride="3"><param name="X" type="float"/>
        <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
    <triangles material="paint" count="{}"><input semantic="VERTEX" source="#corners" offset="0"/><p>{}</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="scene"><node id="node"><matrix>{}</matrix>
    <instance_geometry url="#part"><bind_material><technique_common>
      <instance_material symbol="paint" target="#paint"/></technique_common></bind_material></instance_geometry>
  </node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
)",
      unit, up_axis, diffuse, places.size(), fmt::join(places, " "), mesh.vertices.size(),
      mesh.triangles.size(), fmt::join(indices, " "), matrix);
}

std::string gltf(const TriangleMesh& mesh, double along_x) {
  const std::string bytes = gltf_numbers(mesh);
  const std::vector<unsigned char> numbers(bytes.begin(), bytes.end());
  return gltf_json(
      mesh, along_x,
      fmt::format(R"("uri": "data:application/octet-stream;base64,{}", )", base64(numbers)));
}

std::string glb(const TriangleMesh& mesh, double along_x) {
  std::string json = gltf_json(mesh, along_x, "");
  json.append((4 - json.size() % 4) % 4, ' ');
  const std::string numbers = gltf_numbers(mesh);
  std::string bytes = "glTF";
  const auto append_size = [&](std::size_t size) {
    append_bytes(bytes, static_cast<std::uint32_t>(size));
  };
  append_size(2);
  append_size(12 + 8 + json.size() + 8 + numbers.size());
  append_size(json.size());
  bytes += "JSON" + json;
  append_size(numbers.size());
  bytes += std::string("BIN\0", 4) + numbers;
  return bytes;
}

std::string written_mesh(const std::string& name, const std::string& text) {
  const std::string path = COUNTERPOISE_TEST_DIR "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TriangleMesh box_mesh(const Vec3d& size) {
  return surface_of({.shape = BoxShape{size}});
}

}  // namespace counterpoise::test
