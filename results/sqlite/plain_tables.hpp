#pragma once

#include <string>
#include <string_view>

#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Throws StoreError (unusable), naming it, for anything in a database's schema that no results
/// file has: nothing that a file brings along is run. Results have tables alone, of known names,
/// whose columns have a name and one of the types TEXT, REAL and INTEGER and at most a primary key:
/// no views, triggers, indices of their own, virtual tables, columns that are computed, have a
/// default or are checked.
void require_plain_tables(Database& database);

/// What of this SQL, which makes a table, is not plain as said above; empty if all is.
std::string not_plain(std::string_view sql);

}  // namespace counterpoise
