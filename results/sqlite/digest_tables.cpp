#include "results/sqlite/digest_tables.hpp"

#include <sqlite3.h>

#include <charconv>

#include "results/sqlite/checksum.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

/// How often the file was written, as its first page says after the last commit. Nothing where that
/// does not count: with a write-ahead log, or in memory.
std::optional<std::int64_t> writes_of(Database& database) {
  sqlite3_file* file = nullptr;
  const int code =
      sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return std::nullopt;
  // a second handle of the file, once closed, would take SQLite's locks with it
  std::array<unsigned char, 100> header{};
  if (file->pMethods->xRead(file, header.data(), static_cast<int>(header.size()), 0) != SQLITE_OK)
    return std::nullopt;
  constexpr std::size_t versions = 18, counter = 24;  // offsets of the database header
  if (header[versions] != 1 || header[versions + 1] != 1) return std::nullopt;
  std::int64_t count = 0;
  for (std::size_t i = counter; i < counter + 4; ++i) count = count * 256 + header[i];
  return count;
}

std::string list_of(const std::vector<std::int64_t>& ids) {
  std::string text = "[";
  for (const std::int64_t id : ids) text += (text.size() > 1 ? "," : "") + std::to_string(id);
  return text + ']';
}

std::optional<std::vector<std::int64_t>> ids_in(const std::string& list) {
  std::vector<std::int64_t> ids;
  if (list == "[]") return ids;
  const char* at = list.data();
  const char* const end = at + list.size();
  for (char before = '['; at != end && *at == before; before = ',') {
    const auto [stop, error] = std::from_chars(at + 1, end, ids.emplace_back());
    if (error != std::errc()) return std::nullopt;
    at = stop;
  }
  if (end - at != 1 || *at != ']') return std::nullopt;
  return ids;
}

}  // namespace

void write_digest(Database& database, const Digest& digest) {
  const std::optional<std::int64_t> writes = writes_of(database);
  if (!writes) return;
  database.execute(
      "CREATE TABLE IF NOT EXISTS digest(writes INTEGER, feasible INTEGER, infeasible INTEGER, "
      "failed INTEGER)");
  database.execute(
      "CREATE TABLE IF NOT EXISTS leading(objective TEXT, motion TEXT, feasible INTEGER, "
      "first INTEGER, ids TEXT)");
  database.execute("DELETE FROM digest; DELETE FROM leading");
  Statement counts(database, "INSERT INTO digest VALUES(?, ?, ?, ?)");
  counts.bind(1, *writes + 1);  // this transaction is one more
  int parameter = 2;
  for (const Status status : {Status::feasible, Status::infeasible, Status::failed})
    counts.bind(parameter++, digest.statuses[static_cast<std::size_t>(status)]);
  counts.run();
  Statement insert(database, "INSERT INTO leading VALUES(?, ?, ?, ?, ?)");
  for (const Digest::Leading& leading : digest.leading) {
    const std::string ids = list_of(leading.ids);
    insert.bind(1, std::string_view(leading.objective));
    insert.bind(2, std::string_view(leading.motion));
    insert.bind(3, leading.feasible);
    insert.bind(4, leading.first);
    insert.bind(5, std::string_view(ids));
    insert.run();
  }
}

std::optional<Digest> read_digest(Database& database) {
  if (!has_table(database, "digest") || !has_table(database, "leading")) return std::nullopt;
  // the statement is not at its end while the rest is read, so that nothing is written meanwhile
  Statement counts(database, "SELECT * FROM digest");
  const std::vector<std::string> columns = {"writes", "feasible", "infeasible", "failed"};
  if (counts.names() != columns || !counts.step() || writes_of(database) != counts.integer(0))
    return std::nullopt;
  Digest digest;
  int column = 1;
  for (const Status status : {Status::feasible, Status::infeasible, Status::failed})
    digest.statuses[static_cast<std::size_t>(status)] = counts.integer(column++);
  Statement rows(database, "SELECT objective, motion, feasible, first, ids FROM leading");
  while (rows.step()) {
    std::optional<std::vector<std::int64_t>> ids = ids_in(rows.text(4));
    if (!ids) return std::nullopt;
    digest.leading.push_back(
        {rows.text(0), rows.text(1), rows.integer(2), rows.integer(3), std::move(*ids)});
  }
  return digest;
}

}  // namespace counterpoise
