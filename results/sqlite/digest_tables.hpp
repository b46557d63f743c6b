#pragma once

#include <optional>

#include "results/rows/digest.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Stores a digest as that of the cases as they are when the transaction in progress, which must be
/// one that writes, is committed. Replaces the one before. Does nothing where SQLite does not count
/// what is written.
void write_digest(Database& database, const Digest& digest);

/// The digest of the cases as they are now. Nothing where there is none, or where the file has been
/// written since: SQLite counts the transactions that wrote a file, whichever program they were of.
std::optional<Digest> read_digest(Database& database);

}  // namespace counterpoise
