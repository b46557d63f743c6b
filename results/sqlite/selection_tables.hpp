#pragma once

#include "results/rows/rows.hpp"
#include "results/rows/totals.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Makes the tables that a file has beside the others where it keeps some of the cases only: the
/// ids that were evaluated, those of the sample that are among them, and what all of them come to.
void create_selection_tables(Database& database);

/// Replaces the contents of these tables.
void write_selection(Database& database, const StoreLayout& layout, const Totals& totals,
                     const IdSet& evaluated);

/// Each throws StoreError (unusable) for data that is not as it was written.
Totals read_totals(Database& database, const StoreLayout& layout);
IdSet read_evaluated(Database& database);

}  // namespace counterpoise
