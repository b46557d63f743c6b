#include "exchange/shapes/given_masses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "engine/mechanism/mechanism.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 3> com_headings = {"com_x", "com_y", "com_z"};
constexpr std::array<std::string_view, 6> inertia_headings = {"ixx", "iyy", "izz",
                                                              "ixy", "ixz", "iyz"};

const CsvColumn& required_column(const CsvTable& table, std::string_view name) {
  const CsvColumn* column = table.find(name);
  if (column == nullptr)
    throw InputError({table.file, 1, 1, ""},
                     fmt::format("found no column {}, expected the columns link and mass{}",
                                 in_quotes(name), did_you_mean(name, table.names())));
  return *column;
}

/// A column of numbers in this unit, or in SI without a unit.
const CsvColumn& measured_column(const CsvTable& table, std::string_view name,
                                 std::string_view unit) {
  const CsvColumn& column = required_column(table, name);
  if (column.has_unit) require_fit(column.unit, *find_unit(unit), name, table.header(column));
  static_cast<void>(numbers_of(column));
  return column;
}

/// All columns of a group, or none of them.
std::vector<const CsvColumn*> column_group(const CsvTable& table,
                                           std::span<const std::string_view> names,
                                           std::string_view unit) {
  std::vector<const CsvColumn*> columns;
  const CsvColumn* present = nullptr;
  for (const std::string_view name : names)
    if (present == nullptr) present = table.find(name);
  if (present == nullptr) return columns;
  for (const std::string_view name : names) {
    if (table.find(name) == nullptr)
      throw InputError(table.header(*present),
                       fmt::format("found no column {} beside {}, expected all of {} or none",
                                   in_quotes(name), in_quotes(present->name), listed(names)));
    columns.push_back(&measured_column(table, name, unit));
  }
  return columns;
}

void refuse_unknown_columns(const CsvTable& table) {
  std::vector<std::string> known = {"link", "mass"};
  known.insert(known.end(), com_headings.begin(), com_headings.end());
  known.insert(known.end(), inertia_headings.begin(), inertia_headings.end());
  const std::vector<std::string_view> words(known.begin(), known.end());
  read_each(table.columns, [&](const CsvColumn& column) {
    if (std::find(known.begin(), known.end(), column.name) == known.end())
      throw InputError(table.header(column),
                       fmt::format("found the column {}, expected {}{}", in_quotes(column.name),
                                   listed(words), did_you_mean(column.name, known)));
  });
}

}  // namespace

std::map<std::string, GivenMass> read_masses(const std::filesystem::path& path,
                                             const FileProvider& files) {
  const CsvTable table = parse_csv(files(path), path.string());
  refuse_unknown_columns(table);
  const CsvColumn& links = required_column(table, "link");
  const CsvColumn& masses = measured_column(table, "mass", "kg");
  const auto com = column_group(table, com_headings, "m");
  const auto inertia = column_group(table, inertia_headings, "kg*m^2");
  const auto place = [&](const CsvColumn& column, std::size_t row) {
    return Location{table.file, column.places[row].line, column.places[row].column, ""};
  };

  std::map<std::string, GivenMass> given;
  Mistakes mistakes;
  for (std::size_t row = 0; row < table.row_count() && !mistakes.enough(); ++row)
    mistakes.attempt([&] {
      const auto at = [row](const CsvColumn* column) { return column->numbers[row]; };
      const std::string& link = links.texts[row];
      GivenMass one{masses.numbers[row], {}, {}, place(links, row)};
      Body body;
      body.joint.axis = Vec3d::UnitZ();
      body.mass = one.mass;
      if (!com.empty()) body.com = *(one.com = Vec3d(at(com[0]), at(com[1]), at(com[2])));
      if (!inertia.empty()) {
        const double xy = at(inertia[3]), xz = at(inertia[4]), yz = at(inertia[5]);
        one.inertia.emplace();
        *one.inertia << at(inertia[0]), xy, xz, xy, at(inertia[1]), yz, xz, yz, at(inertia[2]);
        body.inertia = *one.inertia;
      }
      if (const auto impossible = find_impossible_number(body))
        throw InputError(place(body.mass < 0.0 ? masses : links, row),
                         fmt::format("found numbers of the link {} that no body has: {}",
                                     in_quotes(link), *impossible));
      const auto [first, added] = given.emplace(link, one);
      if (!added)
        throw InputError(one.where,
                         fmt::format("found the link {} a second time, expected each once; the "
                                     "first is in line {}",
                                     in_quotes(link), first->second.where.line));
    });
  mistakes.raise();
  return given;
}

}  // namespace counterpoise
