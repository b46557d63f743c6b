#include "cases/provenance.hpp"

#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Files many_files() {
  Files files = arm_files(arm_study(
      R"("variables": {"mount": {"values": [0.2, 0.3]}, "spring": {"catalogue": "springs.csv",
"sets": {"rate": "rate"}}}, "sampling": {"method": "list", "file": "designs.csv"}, )" +
          one_objective,
      R"({"swing": "swing.json", "fold": "fold.json", "drawn": {"format": "counterpoise-motion/1", "duration": 1, "step": 0.1,
"coordinates": {"elbow": {"type": "table", "file": "drawn.csv", "time": "t", "column": "x"}}}})"));
  files["designs.csv"] = "mount,spring\n0.2,hard\n0.3,soft\n0.3,stiff\n";
  files["drawn.csv"] = "t [s],x [deg]\n0,0\n0.5,20\n1,0\n";
  return files;
}

std::string text_of_key(const std::vector<StudyEntry>& entries, const std::string& key) {
  for (const StudyEntry& entry : entries)
    if (entry.key == key) return entry.value;
  return "";
}

std::vector<std::string> keys_that_differ(const std::vector<StudyEntry>& a,
                                          const std::vector<StudyEntry>& b) {
  REQUIRE(a.size() == b.size());
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].key == b[i].key);
    if (a[i].value != b[i].value && a[i].key != "created") keys.push_back(a[i].key);
  }
  return keys;
}

}  // namespace

TEST_CASE("a study read again from the texts kept with its results gives the same results") {
  const Study study = study_of(many_files());
  const auto first = fresh("first.db"), second = fresh("second.db");
  run_to(study, first, 1);

  const std::vector<StudyEntry> kept = ResultsFile(first).study();
  CHECK(stored_study_path(kept) == "study.json");
  const Study again = read_study(stored_study_path(kept), stored_files(kept));
  run_to(again, second, 1);
  CHECK(same_bits(rows_of(first), rows_of(second)));
  CHECK(ResultsFile(first).baselines() == ResultsFile(second).baselines());
  CHECK(keys_that_differ(provenance_of(study, {}), provenance_of(again, {})).empty());
}

TEST_CASE("every file of a study is kept with its path, text and hash") {
  const Files files = many_files();
  const std::vector<StudyEntry> entries = provenance_of(study_of(files), {});
  Files kept;
  for (const StudyEntry& entry : entries)
    if (entry.key.ends_with(".path")) {
      const std::string key = entry.key.substr(0, entry.key.size() - 5);
      kept[entry.value] = text_of_key(entries, key + ".text");
      CHECK_FALSE(text_of_key(entries, key + ".hash").empty());
    }
  CHECK(kept == files);
  CHECK(text_of_key(entries, "cases") == "3");
  CHECK(text_of_key(entries, "name") == "study");
  CHECK_THROWS_AS(stored_files(entries)("elsewhere.json"), InputError);
}

TEST_CASE("a change of any file changes its hash and no other") {
  const Files files = many_files();
  const auto before = provenance_of(study_of(files), {});
  for (const auto& [name, text] : files) {
    CAPTURE(name);
    Files changed = files;
    changed[name] = text + "\n";
    const auto keys = keys_that_differ(before, provenance_of(study_of(changed), {}));
    REQUIRE(keys.size() == 2);
    CHECK(keys[0].ends_with(".text"));
    CHECK(keys[1].ends_with(".hash"));
    CHECK(text_of_key(before, keys[0].substr(0, keys[0].size() - 5) + ".path") == name);
  }
}

TEST_CASE("the hash is XXH3 of 128 bits, written as its authors write it") {
  Study study;
  study.sources = {{"study", "e.json", ""}, {"model", "a.json", "a"}};
  const auto entries = provenance_of(study, {});
  CHECK(text_of_key(entries, "study.hash") == "xxh3:99aa06d3014798d86001c324468d497f");
  CHECK(text_of_key(entries, "model.hash") == "xxh3:a96faf705af16834e6c632b61e964e1f");
}

TEST_CASE("a text with another hash was changed; of a hash of another kind nothing is said") {
  std::vector<StudyEntry> entries = provenance_of(study_of(many_files()), {});
  const auto set_hash = [&](const std::string& value) {
    for (StudyEntry& entry : entries)
      if (entry.key == "model.hash") entry.value = value;
  };
  const std::string kept = text_of_key(entries, "model.hash");
  CHECK(changed_texts(entries).empty());
  CHECK_NOTHROW(require_known_hashes("r.db", entries));
  for (const std::string& wrong : {kept + "0", "xxh3:" + std::string(32, '0'), std::string("of"),
                                   std::string(), kept.substr(5)}) {
    CAPTURE(wrong);
    set_hash(wrong);
    CHECK(changed_texts(entries) == std::vector<std::string>{"model"});
    CHECK_NOTHROW(require_known_hashes("r.db", entries));
  }
  set_hash("md5:0cc175b9c0f1b6a8");
  CHECK(changed_texts(entries).empty());
  CHECK_THROWS_WITH(require_known_hashes("r.db", entries),
                    Catch::StartsWith("r.db: this program does not know this kind of hash: "
                                      "model.hash (md5);"));
  std::erase_if(entries, [](const StudyEntry& entry) { return entry.key == "model.hash"; });
  CHECK(changed_texts(entries) == std::vector<std::string>{"model"});
}

TEST_CASE("hashes of an earlier version, FNV-1a of 64 bits, tell changed texts too") {
  std::vector<StudyEntry> entries = {{"a.text", ""},       {"a.hash", "fnv1a64:cbf29ce484222325"},
                                     {"b.text", "a"},      {"b.hash", "fnv1a64:af63dc4c8601ec8c"},
                                     {"c.text", "foobar"}, {"c.hash", "fnv1a64:85944171f73967e8"}};
  CHECK_NOTHROW(require_known_hashes("r.db", entries));
  CHECK(changed_texts(entries).empty());
  entries[4].value = "foobaz";
  CHECK(changed_texts(entries) == std::vector<std::string>{"c"});
}

TEST_CASE("a part of a study says which") {
  const Study study = study_of(many_files());
  CHECK(text_of_key(provenance_of(study, {2, 5}), "shard") == "2/5");
  CHECK(text_of_key(provenance_of(study, {1, 1}), "shard").empty());
}
