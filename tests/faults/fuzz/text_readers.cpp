#include <array>

#include "cli/arguments.hpp"
#include "engine/mechanism/finding.hpp"
#include "studies/exchange/model/imported_model.hpp"
#include "studies/expressions/expression.hpp"
#include "studies/text/csv.hpp"
#include "studies/text/json_document.hpp"
#include "tests/faults/fuzz/readers.hpp"
#include "tests/studies/arm_study.hpp"

namespace counterpoise::test {
namespace {

/// The files of the two-link arm's study, of which one has other bytes.
FileProvider with_file(const std::string& name, std::string_view bytes) {
  static const Files right = arm_files(arm_study(R"("variables": {"rate": {"range": [1, 9]}},
"sampling": {"method": "grid"}, )" + one_objective));
  Files files = right;
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

void read_expression(std::string_view bytes) {
  static const Scope scope = [] {
    Scope names;
    for (const char* name : {"load", "rate", "lift.max", "height"}) names.add(name);
    return names;
  }();
  constexpr std::array values = {2.0, -300.0, 0.0, 0.5};
  refusable([&] {
    static_cast<void>(Expression::parse(bytes, scope, {.file = "text"}).evaluate(values.data()));
  });
}

void read_condition(std::string_view bytes) {
  static const StoreLayout layout{{{"rate", ColumnType::real},
                                   {"spring", ColumnType::text},
                                   {"spring.row", ColumnType::integer}},
                                  {"lift.max"},
                                  {"peak"}};
  refusable([&] {
    CaseRow row;
    row.id = 7;
    row.variables = {500.0, std::string("soft"), std::int64_t{1}};
    row.metrics = {3.0};
    row.objectives = {-2.0};
    static_cast<void>(parse_row_filter(std::string(bytes), layout)(row));
  });
}

void import_any(std::string_view bytes) {
  refusable([&] {
    ImportOptions options;
    options.output = "model.json";
    const ImportedModel model = import_robot("robot.xml", with_file("robot.xml", bytes), options);
    static_cast<void>(read_model("model.json", with_file("model.json", model.text)));
  });
}

constexpr std::array<Reader, 9> of_texts = {{{"json", read_json},
                                             {"model", read_any_model},
                                             {"motion", read_any_motion},
                                             {"study", read_any_study},
                                             {"scenario", read_any_scenario},
                                             {"csv", read_table},
                                             {"expression", read_expression},
                                             {"where", read_condition},
                                             {"robot", import_any}}};

}  // namespace

std::span<const Reader> text_readers() {
  return of_texts;
}

const Reader* find_reader(std::string_view name) {
  for (const std::span<const Reader> group : {text_readers(), results_readers()})
    for (const Reader& reader : group)
      if (reader.name == name) return &reader;
  return nullptr;
}

}  // namespace counterpoise::test
