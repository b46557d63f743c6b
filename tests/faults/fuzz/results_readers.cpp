#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <set>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "results/ranking.hpp"
#include "results/rows/rows.hpp"
#include "springs/exact.hpp"
#include "tests/faults/fuzz/readers.hpp"
#include "tests/faults/small_studies.hpp"

namespace counterpoise::test {
namespace {

namespace fs = std::filesystem;

struct Prepared {
  fs::path changed;                // where a changed file is written
  std::vector<std::string> files;  // the bytes of right ones
  // the exact search among them
  std::unique_ptr<ResultsFile> exact;
  std::optional<Study> study;
  std::unique_ptr<Verifier> verifier;
  CertificateRow certificate;
  CaseRow proved;
};

Prepared& prepared() {
  static Prepared all;
  return all;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first byte says which file, then every five bytes are a place in it and what stands there.
std::string changed_file(std::string_view changes) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(changes[at]); };
  std::string bytes = prepared().files[byte(0) % prepared().files.size()];
  for (std::size_t at = 1; at + 5 <= changes.size(); at += 5) {
    std::size_t place = 0;
    for (std::size_t digit = 0; digit < 4; ++digit) place = place * 256 + byte(at + digit);
    bytes[place % bytes.size()] = changes[at + 4];
  }
  return bytes;
}

/// All that stored_study() reads of a results file.
std::string stored_text(const ResultsFile& results) {
  std::string text;
  for (const StudyEntry& entry : results.study()) text += entry.key + '\0' + entry.value + '\0';
  for (const Column& column : results.layout().variables)
    text += fmt::format("{}\n{}\n", column.name, static_cast<int>(column.type));
  for (const auto* names : {&results.layout().metrics, &results.layout().objectives})
    text += fmt::format("{}\n{}\n", names->size(), fmt::join(*names, "\n"));
  return text;
}

void read_results(std::string_view changes) {
  if (changes.empty()) return;
  const fs::path& path = prepared().changed;
  for (const char* suffix : {"-journal", "-wal", "-shm"}) fs::remove(path.string() + suffix);
  std::ofstream(path, std::ios::binary) << changed_file(changes);
  static std::set<std::string> read;  // few changes are in a study, whose reading takes long
  try {
    const ResultsFile results(path);
    static_cast<void>(everything_in(results));
    static_cast<void>(results.extent());
    static_cast<void>(results.find(1));
    static_cast<void>(rank(results, {}));
    const std::string text = stored_text(results);
    if (read.contains(text)) return;
    static_cast<void>(stored_study(results));
    read.insert(text);
  } catch (const StoreError&) {
  }
}

/// What a user writes behind a command: conditions, settings, cases and motions.
void read_arguments(std::string_view bytes) {
  static const StoreLayout layout{{{"rate", ColumnType::real},
                                   {"spring", ColumnType::text},
                                   {"spring.row", ColumnType::integer}},
                                  {"lift.max"},
                                  {"peak"}};
  const Prepared& all = prepared();
  const std::string text(bytes);
  const auto refusable = [](const auto& work) {
    try {
      work();
    } catch (const InputError&) {
    } catch (const StoreError&) {
    }
  };
  refusable([&] {
    CaseRow row;
    row.id = 7;
    row.variables = {500.0, std::string("soft"), std::int64_t{1}};
    row.metrics = {3.0};
    row.objectives = {-2.0};
    static_cast<void>(
        parse_row_filter(text, layout, [](const auto&) { return std::string("N"); })(row));
  });
  refusable([&] { static_cast<void>(with_settings({}, {text}, *all.study->model)); });
  refusable([&] { static_cast<void>(motion_of(*all.study, text)); });
  refusable([&] { static_cast<void>(case_of(*all.exact, text)); });
}

void read_certificate(std::string_view bytes) {
  Prepared& all = prepared();
  all.certificate.text = bytes;
  static_cast<void>(all.verifier->verify(all.proved, all.certificate));
}

constexpr std::array<Reader, 3> of_results = {
    {{"arguments", read_arguments}, {"results", read_results}, {"certificate", read_certificate}}};

}  // namespace

std::span<const Reader> results_readers() {
  return of_results;
}

void prepare_results(const std::string& folder) {
  Prepared& all = prepared();
  all.changed = fs::path(folder) / "changed.db";
  for (SmallStudy& small : small_studies()) {
    const fs::path path = fs::path(folder) / (small.name + ".db");
    run_small(small.study, path, {.force = true});
    all.files.push_back(bytes_of(path));
    if (small.name != "exact") continue;
    all.exact = std::make_unique<ResultsFile>(path);
    all.study = stored_study(*all.exact);
    all.verifier = std::make_unique<Verifier>(*all.exact, *all.study);
    all.certificate = all.exact->certificates().front();
    all.proved = *all.exact->find(all.certificate.id);
    std::ofstream(fs::path(folder) / "certificate.json") << all.certificate.text;
  }
}

}  // namespace counterpoise::test
