#include "results/sqlite/plain_tables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

constexpr std::array known_tables = {
    "study",      "columns",   "variables",      "baselines", "cases",  "certificates",
    "failures",   "sample",    "failure_names",  "evaluated", "totals", "status_counts",
    "histograms", "checksums", "failure_counts", "digest",    "leading"};

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Words, quoted names as "\"", and single characters.
std::vector<std::string> tokens_of(std::string_view sql) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < sql.size();) {
    if (std::isspace(static_cast<unsigned char>(sql[at])) != 0) {
      ++at;
    } else if (sql[at] == '"') {
      // a quote in a name stands there twice, and is two names here
      at = sql.find('"', at + 1);
      if (at == std::string_view::npos) break;
      ++at;
      if (tokens.empty() || tokens.back() != "\"") tokens.emplace_back("\"");
    } else if (is_word_part(sql[at])) {
      std::size_t end = at;
      while (end < sql.size() && is_word_part(sql[end])) ++end;
      tokens.emplace_back(sql.substr(at, end - at));
      at = end;
    } else {
      tokens.emplace_back(1, sql[at++]);
    }
  }
  return tokens;
}

/// Walks along the tokens of a CREATE TABLE.
class Walk {
 public:
  explicit Walk(std::string_view sql) : tokens_(tokens_of(sql)) {}

  bool is(std::string_view word) {
    if (at_ == tokens_.size() || tokens_[at_] != word) return false;
    ++at_;
    return true;
  }
  bool are(std::initializer_list<std::string_view> words) {
    return std::all_of(words.begin(), words.end(), [this](auto word) { return is(word); });
  }
  bool name() {
    if (at_ == tokens_.size() || !(tokens_[at_] == "\"" || is_word_part(tokens_[at_].front())))
      return false;
    ++at_;
    return true;
  }
  bool type() { return is("TEXT") || is("REAL") || is("INTEGER"); }
  [[nodiscard]] bool at_end() const { return at_ == tokens_.size(); }
  /// Where the walk stands, for a message.
  [[nodiscard]] std::string here() const { return at_end() ? "the end" : tokens_[at_]; }

  bool column() {
    if (is("PRIMARY")) return are({"KEY", "("}) && name() && (!is(",") || name()) && is(")");
    return name() && type() && (!is("PRIMARY") || is("KEY"));
  }
  bool table() {
    if (!are({"CREATE", "TABLE"}) || !name() || !is("(")) return false;
    do {
      if (!column()) return false;
    } while (is(","));
    return is(")") && (!is("WITHOUT") || is("ROWID")) && at_end();
  }

 private:
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::string not_plain(std::string_view sql) {
  Walk walk(sql);
  return walk.table() ? "" : walk.here();
}

namespace {

[[noreturn]] void refuse(const Database& database, const std::string& what) {
  throw StoreError(StoreError::Kind::unusable,
                   database.path().string() + ": is damaged: " + what +
                       "; drop it, take an undamaged copy, or name another output");
}

}  // namespace

void require_plain_tables(Database& database) {
  Statement schema(database, "SELECT type, name, tbl_name, sql FROM sqlite_master");
  while (schema.step()) {
    // a name that is no text is none: SQLite finds the table by it, and our queries do not
    if (!schema.is_text(0) || !schema.is_text(1) || !schema.is_text(2))
      refuse(database,
             "its list of tables has a name that is not a text, of \"" + schema.text(1) + "\"");
    const std::string type = schema.text(0), name = schema.text(1), table = schema.text(2);
    const std::string sql = schema.text(3);
    const auto known = [](const std::string& one) {
      return std::find(known_tables.begin(), known_tables.end(), one) != known_tables.end();
    };
    // SQLite's own index of a primary key
    if (type == "index" && sql.empty() && name.starts_with("sqlite_autoindex_") && known(table))
      continue;
    if (sql.starts_with("CREATE VIRTUAL"))
      refuse(database,
             "it has a virtual table \"" + name + "\", where results have plain tables alone");
    if (type != "table" || !known(name))
      refuse(database, "it has a" + std::string(type == "index" ? "n " : " ") + type + " \"" +
                           name + "\", where results have plain tables alone");
    if (const std::string odd = not_plain(sql); !odd.empty())
      refuse(database,
             "table " + name + " is not made of plain columns alone: found " + odd + " in " + sql);
  }
}

}  // namespace counterpoise
