#pragma once

#include "results/rows/rows.hpp"
#include "results/rows/totals.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

/// Makes the further tables of a file that keeps only some of the cases: the evaluated ids, those
/// in the sample, and the totals over all evaluated cases.
void create_selection_tables(Database& database);

/// Replaces the contents of these tables.
void write_selection(Database& database, const StoreLayout& layout, const Totals& totals,
                     const IdSet& evaluated);

/// Each throws StoreError (unusable) for data that were changed since they were written.
Totals read_totals(Database& database, const StoreLayout& layout);
IdSet read_evaluated(Database& database);

}  // namespace counterpoise
