#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/layout.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

// Keys of the table `study` that results themselves read.
inline constexpr const char* format_key = "format";
inline constexpr const char* case_count_key = "cases";
inline constexpr const char* finished_key = "finished";   // "1" at the end
inline constexpr const char* shard_key = "shard";         // of a run: "2/3"
inline constexpr const char* shards_key = "shards";       // of a merge that lacks some: "1/3 3/3"
inline constexpr const char* birth_name_key = "born_as";  // the name beside that it was born under

/// The bytes of a results file with its tables study, columns, variables and baselines filled and
/// the tables cases and certificates empty.
std::string image_of(const Birth& birth);

/// Files of earlier versions may lack the table.
void create_certificates(Database& database);

/// Whether the database has no tables at all; throws StoreError (unusable) if it has tables that
/// are not those of results, or SQL of its own that would run when these are read or written.
bool has_no_tables(Database& database, const std::string& path);

// What is read is checked: another program may have changed it. Each throws StoreError (unusable)
// for what is not as it was written.
std::vector<StudyEntry> read_study(Database& database);
StoreLayout read_layout(Database& database);
std::vector<VariableRow> read_variables(Database& database, const StoreLayout& layout);
std::vector<BaselineRow> read_baselines(Database& database, const StoreLayout& layout);
/// All of them by ascending id, or that of one case.
std::vector<CertificateRow> read_certificates(Database& database, std::optional<std::int64_t> id);

const char* to_text(Status status);

/// Nothing for a text that is none of the three.
std::optional<Status> to_status(std::string_view text);

/// Throws StoreError (unusable) unless a query of a table has these columns.
void require_columns(const Statement& rows, const char* table,
                     const std::vector<std::string>& columns);

/// Replaces `numbers` by `count` columns from `column` on; by none where the row is not feasible.
/// False if one of a feasible row is not a finite number.
bool read_numbers(const Statement& statement, int column, std::size_t count, bool feasible,
                  std::vector<double>& numbers);

/// Binds numbers from `parameter` on, NULL for each of `count` if there are none; the next one.
int bind_numbers(Statement& statement, int parameter, const std::vector<double>& numbers,
                 std::size_t count);

/// "?,?,?": that many parameters.
std::string parameters(std::size_t count);

}  // namespace counterpoise
