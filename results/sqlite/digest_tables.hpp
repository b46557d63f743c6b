#pragma once

#include <optional>

#include "results/rows/digest.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Stores the digest of the cases as the transaction in progress, which must be a writing one,
/// leaves them. Replaces the one before. Does nothing where SQLite does not count transactions.
void write_digest(Database& database, const Digest& digest);

/// The digest of the cases as they are now. Nothing if the file has none or has been written since:
/// SQLite counts the transactions that wrote a file, by any program.
std::optional<Digest> read_digest(Database& database);

}  // namespace counterpoise
