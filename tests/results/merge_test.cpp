#include "results/merge.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "results/sqlite/database.hpp"
#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

struct Shards {
  explicit Shards(const std::string& name) : folder(fresh_folder(name)) {
    std::mt19937_64 random(5);
    rows = random_rows(random, 1, 1000);
    std::vector<std::vector<CaseRow>> shares(3);
    for (const CaseRow& row : rows) {
      shares[static_cast<std::size_t>(row.id) % 3].push_back(row);
      if (row.id % 10 == 0) shares[static_cast<std::size_t>(row.id + 1) % 3].push_back(row);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      parts.emplace_back(folder + "part" + std::to_string(i) + ".db");
      Birth birth = example_birth();
      birth.study.push_back({"shard", std::to_string(i + 1) + "/3"});
      Store store = Store::create(parts.back(), birth, Existing::refuse);
      append(store, shares[i]);
      store.finish();
    }
  }
  std::string folder;
  std::vector<CaseRow> rows;
  std::vector<std::filesystem::path> parts;
};

void create_with(const std::string& path, const std::string& key, const std::string& value,
                 const std::vector<CaseRow>& rows) {
  Birth birth = example_birth();
  for (StudyEntry& entry : birth.study) {
    if (entry.key == key) entry.value = value;
  }
  append(Store::create(path, birth, Existing::refuse), rows);
}

}  // namespace

TEST_CASE("shards join to the whole study, which is then finished") {
  const Shards shards("merge_whole");
  const std::string all = shards.folder + "all.db";
  const MergeSummary summary = merge(shards.parts, all, Existing::refuse, false);
  CHECK(summary.complete);
  CHECK(summary.missing.empty());
  CHECK(summary.cases == 1000);
  CHECK(summary.repeated == 100);
  CHECK(all_rows(all) == shards.rows);
  CHECK(Store::open(all).finished());
  CHECK(!ResultsFile(all).value("shard").has_value());
  const std::string refused =
      store_error_of([&] { merge(shards.parts, all, Existing::refuse, false); }).message;
  CHECK_THAT(refused, Catch::Contains("exists already") && Catch::Contains("--force") &&
                          !Catch::Contains("--resume"));
  merge({shards.parts[0]}, all, Existing::replace, false);
  CHECK(!Store::open(all).finished());
  CHECK(store_error_of([&] { merge({all}, all, Existing::replace, false); }).thrown);
}

TEST_CASE("a case with two different rows is an error and leaves no output") {
  const Shards shards("merge_conflict");
  CaseRow other = shards.rows[2];
  other.variables[1] = 0.125;
  create_with(shards.folder + "other.db", "", "", {other});
  const std::string all = shards.folder + "all.db";
  const Thrown error = store_error_of([&] {
    merge({shards.parts[0], shards.folder + "other.db"}, all, Existing::refuse, false);
  });
  CHECK_THAT(error.message, Catch::Contains("case 3 "));
  CHECK(!std::filesystem::exists(all));
  CHECK(!std::filesystem::exists(all + ".merging"));
}

TEST_CASE("a part that was changed after it was finished is refused") {
  const Shards shards("merge_changed");
  Database(shards.parts[1], Database::Access::write, 0)
      .execute("UPDATE cases SET radius = 0.001 WHERE id = (SELECT min(id) FROM cases)");
  const std::string all = shards.folder + "all.db";
  const Thrown error = store_error_of([&] { merge(shards.parts, all, Existing::refuse, false); });
  CHECK(error.kind == StoreError::Kind::unusable);
  CHECK_THAT(error.message,
             Catch::Contains(shards.parts[1].string() + ": is damaged: its rows are"));
  CHECK(!std::filesystem::exists(all));
}

TEST_CASE("shards that are missing or not finished are named, and join later") {
  const Shards shards("merge_some");
  const auto joined = [&](const std::vector<std::filesystem::path>& parts, const char* name) {
    return merge(parts, shards.folder + name, Existing::refuse, false);
  };
  const MergeSummary two = joined({shards.parts[0], shards.parts[2]}, "two.db");
  CHECK(two.missing == std::vector<std::string>{"2/3"});
  CHECK(two.not_finished.empty());
  CHECK(!two.complete);
  CHECK(!ResultsFile(shards.folder + "two.db").extent().complete());
  const MergeSummary all = joined({shards.folder + "two.db", shards.parts[1]}, "all.db");
  CHECK(all.complete);
  CHECK(all.missing.empty());
  CHECK(ResultsFile(shards.folder + "all.db").extent().complete());

  Store::open(shards.parts[1]).reopen();
  const MergeSummary cut = joined({shards.parts[1]}, "cut.db");
  CHECK(cut.missing == std::vector<std::string>{"1/3", "3/3"});
  CHECK(cut.not_finished == std::vector<std::string>{shards.parts[1].string()});
}

TEST_CASE("shards of a search that ended early are the whole study") {
  const std::string folder = fresh_folder("merge_search");
  std::mt19937_64 random(6);
  std::vector<std::filesystem::path> parts;
  for (const int i : {1, 2}) {
    Birth birth = example_birth();
    birth.study.push_back({"shard", std::to_string(i) + "/2"});
    birth.study.push_back({"search.start." + std::to_string(i), "converged"});
    parts.emplace_back(folder + std::to_string(i) + ".db");
    Store store = Store::create(parts.back(), birth, Existing::refuse);
    append(store, random_rows(random, 500 * i, 9));
    store.finish();
  }
  CHECK(merge(parts, folder + "all.db", Existing::refuse, false).complete);
  CHECK(ResultsFile(folder + "all.db").extent().complete());
  CHECK(!merge({parts[0]}, folder + "one.db", Existing::refuse, false).complete);
}

TEST_CASE("another program's rows are refused, with both values, unless mixing is allowed") {
  const Shards shards("merge_programs");
  for (const char* key :
       {"tool_version", "commit", "compiler", "flags", "instruction_set", "vector_width"}) {
    CAPTURE(key);
    const std::string other = shards.folder + key + ".db", all = shards.folder + "all.db";
    Birth birth = example_birth();
    std::erase_if(birth.study, [&](const StudyEntry& entry) { return entry.key == key; });
    birth.study.push_back({key, "odd"});
    Store::create(other, birth, Existing::refuse);
    const auto attempt = [&](bool allow_mixed) {
      return store_error_of([&] {
        merge({shards.parts[0], other}, all, Existing::replace, allow_mixed);
      });
    };
    CHECK_THAT(attempt(false).message, Catch::Contains(key) && Catch::Contains("\"odd\"") &&
                                           Catch::Contains("--allow-mixed"));
    CHECK(!attempt(true).thrown);
    CHECK_THAT(ResultsFile(all).value(key).value_or(""), Catch::EndsWith(" | odd"));
  }
}

TEST_CASE("other studies are refused, other widths unless mixing is allowed") {
  const Shards shards("merge_others");
  const std::string all = shards.folder + "all.db";
  create_with(shards.folder + "study.db", "study_hash", "xyz", {});
  create_with(shards.folder + "kind.db", "study_hash", "old:abc", {});
  create_with(shards.folder + "width.db", "vector_width", "8", {});
  const auto attempt = [&](const std::string& name, bool allow_mixed) {
    return store_error_of([&] {
      merge({shards.parts[0], shards.folder + name}, all, Existing::replace, allow_mixed);
    });
  };
  CHECK_THAT(attempt("study.db", true).message, Catch::EndsWith("differ in study_hash"));
  CHECK_THAT(attempt("kind.db", true).message,
             Catch::EndsWith("differ in study_hash (old and new cannot be compared)"));
  CHECK_THAT(attempt("width.db", false).message, Catch::Contains("vector_width"));
  CHECK(!attempt("width.db", true).thrown);
}

TEST_CASE("more parts than files may be open join one after the other") {
  const std::string folder = fresh_folder("merge_many");
  std::mt19937_64 random(6);
  constexpr std::int64_t count = 50, each = 20;
  const std::vector<CaseRow> rows = random_rows(random, 1, count * each);
  std::vector<std::filesystem::path> parts;
  for (std::int64_t i = 0; i < count; ++i) {
    parts.emplace_back(folder + "part" + std::to_string(i) + ".db");
    Birth birth = example_birth();
    birth.study.push_back({"shard", std::to_string(i + 1) + "/" + std::to_string(count)});
    Store store = Store::create(parts.back(), birth, Existing::refuse);
    append(store, std::span(rows).subspan(static_cast<std::size_t>(i * each), each));
    store.finish();
  }
  std::shuffle(parts.begin(), parts.end(), random);
  const std::string all = folder + "all.db";
  CHECK(in_child([&] {
          const rlimit few{30, 30};
          setrlimit(RLIMIT_NOFILE, &few);
          return merge(parts, all, Existing::refuse, false).complete ? 0 : 1;
        }) == 0);
  CHECK(all_rows(all) == rows);
}

TEST_CASE("a merge that wants the whole study names what is missing, and makes nothing") {
  const Shards shards("merge_wanted");
  const std::string all = shards.folder + "all.db";
  const auto refused = [&](const std::vector<std::filesystem::path>& parts) {
    const Thrown error =
        store_error_of([&] { merge(parts, all, Existing::refuse, false, Wanted::whole); });
    CHECK(error.kind == StoreError::Kind::unusable);
    CHECK(!std::filesystem::exists(all));
    return error.message;
  };
  CHECK_THAT(refused({shards.parts[0], shards.parts[2]}),
             Catch::Contains("shards 2/3 are missing"));
  Store::open(shards.parts[1]).reopen();
  CHECK_THAT(refused(shards.parts), Catch::Contains("part1.db is not finished"));
  Store::open(shards.parts[1]).finish();
  {
    const std::string lacking = shards.folder + "lacking.db";
    Birth birth = example_birth();
    birth.study.push_back({"shard", "2/3"});
    Store store = Store::create(lacking, birth, Existing::refuse);
    append(store, std::span(shards.rows).first(1));
    store.finish();
    CHECK_THAT(refused({shards.parts[0], lacking, shards.parts[2]}),
               Catch::Contains("of 1000 cases"));
  }
  CHECK(merge(shards.parts, all, Existing::refuse, false, Wanted::whole).complete);
}
