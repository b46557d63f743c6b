#include <array>
#include <filesystem>
#include <fstream>

#include "engine/mechanism/finding.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/shapes/body_mesh.hpp"
#include "exchange/shapes/mass_properties.hpp"
#include "input/expressions/affine.hpp"
#include "input/text/csv.hpp"
#include "input/text/json_document.hpp"
#include "tests/faults/fuzz/readers.hpp"
#include "tests/support/arm_study.hpp"

namespace counterpoise::test {
namespace {

/// The files of the two-link arm's study, with the bytes of one replaced.
FileProvider with_file(const std::string& name, std::string_view bytes) {
  static const Files right = arm_files(arm_study(R"("variables": {"rate": {"range": [1, 9]}},
"sampling": {"method": "grid"}, )" + one_objective));
  Files files = right;
  files["motion.json"] = swing;
  files["designs.csv"] = "rate,mount,height\n100,0.1,0.5\n";
  files[name] = bytes;
  return texts(std::move(files));
}

const Model& arm_model() {
  static const Model model = read_model("model.json", with_file("", ""));
  return model;
}

template <class Work>
void refusable(const Work& work) {
  try {
    work();
  } catch (const InputError&) {
  }
}

void read_json(std::string_view bytes) {
  refusable([&] { static_cast<void>(compact_text(parse_json(bytes, "text.json"))); });
}

void read_any_model(std::string_view bytes) {
  refusable([&] {
    const Model model = read_model("model.json", with_file("model.json", bytes));
    static_cast<void>(examine_model(model));
  });
}

void read_any_motion(std::string_view bytes) {
  const FileProvider files = with_file("swing.json", bytes);
  refusable([&] { static_cast<void>(check_motion("swing.json", files)); });
  refusable([&] { static_cast<void>(read_motion("swing.json", arm_model(), files)); });
}

void read_any_study(std::string_view bytes) {
  refusable([&] { static_cast<void>(read_study("study.json", with_file("study.json", bytes))); });
}

void read_any_scenario(std::string_view bytes) {
  const FileProvider files = with_file("scenario.json", bytes);
  refusable([&] { static_cast<void>(check_scenario("scenario.json", files)); });
  refusable([&] { static_cast<void>(read_scenario("scenario.json", arm_model(), files)); });
}

void read_table(std::string_view bytes) {
  refusable([&] {
    const CsvTable table = parse_csv(bytes, "table.csv");
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      for (std::size_t row = 0; row < table.row_count(); ++row)
        static_cast<void>(table.cell(column, row));
  });
}

/// Two of the names are unknowns; exact methods ask whether an expression is affine in them.
void read_expression(std::string_view bytes) {
  static const Scope scope = [] {
    Scope names;
    for (const char* name : {"load", "rate", "lift.max", "height"}) names.add(name);
    return names;
  }();
  static const AffineAnalysis analysis({{0.5, 5.0}, {-300.0, 100.0}});
  static const std::vector<AffineValue> affine = {analysis.unknown(0), analysis.unknown(1),
                                                  AffineAnalysis::other(0.0, {-1.0, 1.0}),
                                                  AffineAnalysis::constant(0.5)};
  constexpr std::array values = {2.0, -300.0, 0.0, 0.5};
  refusable([&] {
    const Expression expression = Expression::parse(bytes, scope, {.file = "text"});
    static_cast<void>(expression.evaluate(values.data()));
    const AffineValue value = analysis.of(expression, affine);
    if (!value.refusal && value.varies) static_cast<void>(analysis.scaled(value, 3.0, 7.0));
  });
  refusable([&] {
    static_cast<void>(Expression::parse(bytes, scope, {.file = "text"}, ExpressionKind::condition));
  });
}

std::filesystem::path& robot_file() {
  static std::filesystem::path path;
  return path;
}

/// Texts of an even length as `import` reads them without options, others with those that let more
/// robots pass.
void import_any(std::string_view bytes) {
  ImportOptions options;
  options.output = "model.json";
  options.massless = bytes.size() % 2 == 1;
  options.meshes = !options.massless;
  options.ignore_gravcomp = options.massless;
  if (options.massless) options.base = Base::floating;
  const FileProvider file = with_file(robot_file().string(), bytes);
  refusable([&] { static_cast<void>(import_robot(robot_file(), file, options)); });
}

/// The first byte says which format the others have. A process of its own reads them, so what it
/// does not survive is refused, too.
void read_any_mesh(std::string_view bytes) {
  constexpr std::array endings = {".stl", ".obj", ".dae", ".gltf", ".glb"};
  if (bytes.empty()) return;
  const auto format = static_cast<unsigned char>(bytes.front()) % endings.size();
  std::filesystem::path file = robot_file();
  file.replace_filename("mesh").replace_extension(endings[format]);
  std::ofstream(file, std::ios::binary) << bytes.substr(1);
  refusable([&] {
    const TriangleMesh mesh = read_mesh(file, {.file = "robot.urdf"});
    static_cast<void>(mesh_mass(mesh, 1000.0));
    const PlacedShape shape{.shape = MeshShape{file}, .where = {.file = "robot.urdf"}};
    static_cast<void>(body_mesh(std::array{shape}, 100));
  });
}

constexpr std::array<Reader, 9> of_texts = {{{"json", read_json},
                                             {"model", read_any_model},
                                             {"motion", read_any_motion},
                                             {"study", read_any_study},
                                             {"scenario", read_any_scenario},
                                             {"csv", read_table},
                                             {"expression", read_expression},
                                             {"robot", import_any},
                                             {"mesh", read_any_mesh}}};

}  // namespace

std::span<const Reader> text_readers() {
  return of_texts;
}

void prepare_readers(const std::string& folder) {
  robot_file() = std::filesystem::path(folder) / "robot.xml";
  prepare_results(folder);
}

const Reader* find_reader(std::string_view name) {
  for (const std::span<const Reader> group : {text_readers(), results_readers()})
    for (const Reader& reader : group)
      if (reader.name == name) return &reader;
  return nullptr;
}

}  // namespace counterpoise::test
