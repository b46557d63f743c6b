#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <limits>

#include "results/merge.hpp"
#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using Certificates = std::vector<CertificateRow>;

Certificates certificates_in(const std::string& path) {
  return ResultsFile(path).certificates();
}

void execute(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const int code = sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
  sqlite3_close(database);
  REQUIRE(code == SQLITE_OK);
}

struct Example {
  explicit Example(const std::string& name) : folder(fresh_folder(name)) {
    std::mt19937_64 random(11);
    rows = random_rows(random, 1, 20);
  }
  /// A file with some of the rows and certificates.
  std::string file(const std::string& name, std::size_t first, std::size_t count,
                   const Certificates& certificates, const std::vector<StudyEntry>& entries = {}) {
    const std::string path = folder + name;
    Store store = Store::create(path, example_birth(), Existing::refuse);
    RowBatch batch(store.layout());
    for (std::size_t i = first; i < first + count; ++i) batch.add(rows[i]);
    store.append({&batch, 1}, entries, certificates);
    return path;
  }
  std::string folder;
  std::vector<CaseRow> rows;
};

const CertificateRow odd = {3, 0.1, 1.0 / 3.0, R"({"text": "ä, \" and ' stay"})"};
const CertificateRow small = {7, -5e-324, 1e-300, ""};
const CertificateRow large = {12, 1.7976931348623157e308, 0.0, std::string(200'000, 'x')};

}  // namespace

TEST_CASE("certificates read back as they were stored, by id") {
  Example example("certificates_round_trip");
  const std::string path = example.file("a.db", 0, 20, {large, odd, small});
  CHECK(certificates_in(path) == Certificates{odd, small, large});
  const ResultsFile results(path);
  CHECK(results.certificate(7) == small);
  CHECK(results.certificate(12) == large);
  CHECK_FALSE(results.certificate(1));
  CHECK(all_rows(path) == example.rows);
}

TEST_CASE("a certificate of an id stored before replaces it") {
  Example example("certificates_replaced");
  const std::string path = example.file("a.db", 0, 20, {odd, small});
  const CertificateRow better = {3, 0.2, 0.0, "{}"};
  Store::open(path).append({}, {}, {&better, 1});
  CHECK(certificates_in(path) == Certificates{better, small});
}

TEST_CASE("certificates are stored with their rows or not at all") {
  Example example("certificates_atomic");
  const std::string path = example.file("a.db", 0, 10, {odd});
  {
    Store store = Store::open(path);
    RowBatch batch(store.layout());
    batch.add(example.rows[12]);
    batch.add(example.rows[2]);  // stored before
    CHECK_THROWS_AS(store.append({&batch, 1}, {}, {&large, 1}), std::logic_error);
  }
  CHECK(certificates_in(path) == Certificates{odd});
}

TEST_CASE("a certificate whose numbers are not finite never enters, nor what comes with it") {
  Example example("certificates_numbers");
  const std::string path = example.file("a.db", 0, 10, {odd});
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const CertificateRow& wrong :
         {CertificateRow{9, number, 0.0, ""}, CertificateRow{9, 0.0, number, ""}}) {
      Store store = Store::open(path);
      RowBatch batch(store.layout());
      batch.add(example.rows[15]);
      CHECK_THROWS_AS(store.append({&batch, 1}, {}, {&wrong, 1}), std::logic_error);
    }
  }
  CHECK(certificates_in(path) == Certificates{odd});
  CHECK(all_rows(path).size() == 10);
}

TEST_CASE("files of versions without certificates have none and may be continued") {
  Example example("certificates_missing");
  const std::string path = example.file("a.db", 0, 10, {odd});
  execute(path, "DROP TABLE certificates");
  CHECK(certificates_in(path).empty());
  CHECK_FALSE(ResultsFile(path).certificate(3));
  CHECK(all_rows(path).size() == 10);
  {
    Store store = Store::open(path);
    RowBatch batch(store.layout());
    for (std::size_t i = 10; i < 20; ++i) batch.add(example.rows[i]);
    store.append({&batch, 1}, {}, {&large, 1});
  }
  CHECK(certificates_in(path) == Certificates{large});
  CHECK(all_rows(path) == example.rows);
}

TEST_CASE("shards join with their certificates and what their searches noted") {
  Example example("certificates_merged");
  const std::string first = example.file("first.db", 0, 8, {small}, {{"search.start.0", "one"}});
  const std::string second =
      example.file("second.db", 8, 6, {large}, {{"search.start.1", "two"}, {"shard", "2/3"}});
  const std::string third = example.file("third.db", 14, 6, {});
  execute(third, "DROP TABLE certificates");
  const std::string all = example.folder + "all.db";
  merge({third, second, first}, all, Existing::refuse, false);
  CHECK(certificates_in(all) == Certificates{small, large});
  CHECK(all_rows(all) == example.rows);
  const ResultsFile merged(all);
  CHECK(merged.value("search.start.0") == "one");
  CHECK(merged.value("search.start.1") == "two");
  CHECK_FALSE(merged.value("shard"));
}
