#include "results/export.hpp"

#include "results/sqlite/output_file.hpp"
#include "results/sqlite/schema.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

void add_numbers(std::vector<Value>& cells, const std::vector<double>& numbers, std::size_t count) {
  if (numbers.empty()) cells.resize(cells.size() + count);
  for (const double number : numbers) cells.push_back(number_cell(number));
}

}  // namespace

void export_cases(const ResultsFile& results, const std::filesystem::path& csv,
                  const std::function<std::string(const std::string&)>& unit_of) {
  const StoreLayout& layout = results.layout();
  OutputFile file(csv);
  std::string line;
  std::vector<std::string> headings = case_columns(layout);
  for (std::string& heading : headings) {
    const std::string unit = unit_of ? unit_of(heading) : std::string();
    if (!unit.empty()) heading += " [" + unit + "]";
  }
  append_csv_row(line, headings);
  file.write(line);

  auto cases = results.cases();
  std::vector<Value> cells;
  for (CaseRow row; cases.next(row);) {
    cells = {row.id, to_text(row.status), row.reason};
    cells.insert(cells.end(), row.variables.begin(), row.variables.end());
    add_numbers(cells, row.metrics, layout.metrics.size());
    add_numbers(cells, row.objectives, layout.objectives.size());
    line.clear();
    append_csv_row(line, cells);
    file.write(line);
  }
  file.commit();
}

}  // namespace counterpoise
