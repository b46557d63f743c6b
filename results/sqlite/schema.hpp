#pragma once

#include <string>
#include <vector>

#include "results/layout.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Creates and fills the tables study, columns, variables, baselines and the empty table cases.
/// The caller has opened a transaction.
void create_tables(Database& database, const Birth& birth);

/// Whether the database has no tables at all; throws StoreError (unusable) if it has tables that
/// are not those of results.
bool has_no_tables(Database& database, const std::string& path);

std::vector<StudyEntry> read_study(Database& database);
StoreLayout read_layout(Database& database);
std::vector<VariableRow> read_variables(Database& database);
std::vector<BaselineRow> read_baselines(Database& database, const StoreLayout& layout);

const char* to_text(Status status);
Status to_status(const std::string& text);

/// Binds numbers from `parameter` on, NULL for each of `count` if there are none; the next one.
int bind_numbers(Statement& statement, int parameter, const std::vector<double>& numbers,
                 std::size_t count);

/// Replaces `numbers` by columns from `column` on; none if the first is NULL.
void read_numbers(const Statement& statement, int column, std::size_t count,
                  std::vector<double>& numbers);

/// "?,?,?": that many parameters.
std::string parameters(std::size_t count);

}  // namespace counterpoise
