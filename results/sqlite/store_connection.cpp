#include "results/sqlite/store_connection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "results/rows/store_error.hpp"
#include "results/sqlite/digest_tables.hpp"
#include "results/sqlite/schema.hpp"
#include "results/sqlite/selection_tables.hpp"

namespace counterpoise {
namespace {

void check_rows(const RowBatch& batch, std::size_t objectives) {
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const auto require = [&](bool holds, const char* what) {
      if (!holds) throw std::logic_error("case " + std::to_string(batch.id(row)) + ": " + what);
    };
    require(batch.id(row) >= 1, "ids start at 1");
    const auto finite = [](std::span<const double> numbers) {
      double sum = 0.0;  // of zeros, unless a number is not finite
      for (const double number : numbers) sum += number * 0.0;
      return sum == 0.0;
    };
    const std::span<const double> numbers = batch.numbers(row);
    if (finite(numbers)) continue;
    const bool unsettled =
        batch.status(row) == Status::feasible && batch.reason(row) == unsettled_reason;
    const auto open = numbers.last(unsettled ? objectives : 0);
    require(unsettled && finite(numbers.first(numbers.size() - objectives)) &&
                std::none_of(open.begin(), open.end(), [](double o) { return std::isinf(o); }),
            "a number is not finite");
  }
}

DigestMaker maker_of(Database& database, const StoreLayout& layout) {
  return {layout,
          read_study(database),
          read_variables(database, layout),
          read_baselines(database, layout),
          {}};
}

}  // namespace

StoreConnection::StoreConnection(Placement placed)
    : placement(std::move(placed)),
      database(placement.place(), Database::Access::write, prompt_ms) {
  settle();
  prepare();
  load_selection();
  begin_digest();
  placement.note_use();
}

/// Fails at once while another program has the database locked.
void StoreConnection::settle() {
  database.execute("PRAGMA journal_mode = DELETE");
  database.execute("PRAGMA synchronous = NORMAL");
  // KiB: a batch of usual rows does not spill before its end, and the next takes its place
  database.execute("PRAGMA cache_size = -8192");
  const Transaction probe(database);
}

void StoreConnection::prepare() {
  for (const char* table : {"study", "columns", "variables", "baselines"})
    check_table(database, table);
  if (has_failures(database)) check_table(database, "failure_names");
  layout = read_layout(database);
  // these refuse what is damaged before a write
  const std::vector<VariableRow> variables = read_variables(database, layout);
  static_cast<void>(read_baselines(database, layout));
  motion_column_ = motion_column(layout, variables);
  motion_text_ = motion_text(layout, variables);
  checksums_.emplace(database);
  removed_.emplace(CaseReader::finder(database, layout));
  rows_.emplace(database, layout);
  try {
    insert_.emplace(database,
                    std::string("INSERT INTO cases SELECT * FROM ") + RowSource::table_name);
    if (has_failures(database))
      fail_.emplace(database,
                    std::string("INSERT INTO failures SELECT * FROM ") + RowSource::failures_name);
  } catch (...) {
    rows_->rethrow();
    throw;
  }
  set_.emplace(database,
               "INSERT INTO study VALUES(?1, ?2) "
               "ON CONFLICT(key) DO UPDATE SET value = ?2");
  remove_.emplace_back(database, "DELETE FROM cases WHERE id = ?");
  if (fail_) remove_.emplace_back(database, "DELETE FROM failures WHERE id = ?");
  database.set_patience(patient_ms);
}

void StoreConnection::load_selection() {
  try {
    const Birth birth{layout,
                      read_study(database),
                      read_variables(database, layout),
                      read_baselines(database, layout),
                      {}};
    const std::optional<KeepRule> rule = keep_rule_of(birth.study);
    if (!rule) return;
    selection.emplace(*rule, birth, read_totals(database, layout), read_evaluated(database));
  } catch (const std::invalid_argument& error) {
    database.refuse_contents(error.what());
  }
  restore_rows();
}

void StoreConnection::restore_rows() try {
  std::int64_t sampled = 0;
  RowBatch batch(layout);
  CaseReader cases(database, layout);
  for (CaseRow row; cases.next(row);) {
    batch.clear();
    batch.add(row);
    if (!selection->restore(batch, 0))
      database.refuse_contents("case " + std::to_string(row.id) + " is none that is to be kept");
    sampled += selection->kept().sampled(row.id) ? 1 : 0;
  }
  Statement sample(database, "SELECT count(*) FROM sample");
  sample.step();
  if (sample.integer(0) != sampled) database.refuse_contents("cases are missing in table sample");
} catch (const std::invalid_argument& error) {
  database.refuse_contents(error.what());
}

/// A file of an earlier version has no table of them before there is one to be stored.
void StoreConnection::prepare_certificates() {
  create_certificates(database);
  certify_.emplace(database, "INSERT OR REPLACE INTO certificates VALUES(?, ?, ?, ?)");
}

std::size_t StoreConnection::list(std::span<const RowBatch> batches) {
  for (const RowBatch& batch : batches) check_rows(batch, layout.objectives.size());
  return rows_->list(batches);
}

void StoreConnection::write(std::size_t first, std::size_t count,
                            std::span<const StudyEntry> entries,
                            std::span<const CertificateRow> certificates) try {
  Transaction batch(database);
  checksums_->drop();
  write_rows(first, count);
  for (const StudyEntry& entry : entries) set(entry);
  for (const CertificateRow& row : certificates) certify(row);
  checksums_->store();
  batch.commit();
  note_written();
} catch (const StoreError& error) {
  throw StoreError(StoreError::Kind::write_failed, error.what());
}

/// What went wrong while SQLite read the rows is thrown as it was.
void StoreConnection::write_rows(std::size_t first, std::size_t count) {
  rows_->show(first, count);
  try {
    insert_->run();
    if (fail_) fail_->run();
  } catch (...) {
    rows_->rethrow();
    throw;
  }
  if (!checksums_->kept()) return;
  rows_->each_shown([this](const RowBatch& batch, std::size_t row) { sum_up(batch, row); });
}

void StoreConnection::sum_up(const RowBatch& batch, std::size_t row) {
  RowHash& hash = checksums_->hash();
  const std::int64_t block = block_of(batch.id(row));
  const std::uint64_t whole = hash_of_case(hash, batch, row);
  checksums_->add("cases", block, whole);
  if (const FailureRow* failure = fail_ ? batch.failure(row) : nullptr) {
    for (const std::int64_t number : {failure->id, failure->kind, failure->of, failure->motion})
      hash.whole(number);
    for (const double number : {failure->t, failure->value, failure->bound})
      std::isfinite(number) ? hash.number(number) : hash.null();
    checksums_->add("failures", block, hash.take());
  }
  if (batch.status(row) != Status::feasible || !checksums_->kept_of_feasible()) return;
  checksums_->add(feasible_part, block, whole);
  checksums_->add(ranked_part, block,
                  hash_of_ranked(hash, batch, row, layout.objectives.size(), motion_text_));
}

void StoreConnection::select(std::span<const RowBatch> batches,
                             const std::function<void()>& change) try {
  for (const RowBatch& batch : batches) check_rows(batch, layout.objectives.size());
  change();
  RowBatch entering(layout);
  for (const RowBatch& batch : batches)
    for (std::size_t row = 0; row < batch.size(); ++row) {
      if (!selection->kept().contains(batch.id(row))) continue;
      entering.add(batch.row(row));
      if (const FailureRow* failure = batch.failure(row)) entering.set_failure(*failure);
    }
  const std::size_t count = rows_->list({&entering, 1});
  Transaction all(database);
  checksums_->drop();
  for (const std::int64_t id : selection->kept().take_dropped()) remove_case(id);
  write_rows(0, count);
  Statement sample(database, "INSERT INTO sample VALUES(?)");
  for (std::size_t row = 0; row < entering.size(); ++row) {
    if (!selection->kept().sampled(entering.id(row))) continue;
    sample.bind(1, entering.id(row));
    sample.run();
    checksums_->hash().whole(entering.id(row));
    checksums_->add("sample", block_of(entering.id(row)), checksums_->hash().take());
  }
  write_selection(database, layout, selection->totals(), selection->evaluated());
  for (const char* table : {"evaluated", "status_counts", "totals", "histograms", "failure_counts"})
    checksums_->replace(table);
  checksums_->store();
  all.commit();
} catch (const StoreError& error) {
  load_selection();
  throw StoreError(StoreError::Kind::write_failed, error.what());
} catch (const std::invalid_argument& error) {
  database.refuse_contents(error.what());
} catch (...) {
  load_selection();
  throw;
}

void StoreConnection::begin_digest() {
  others_writes_ = others_writes();
  Statement any(database, "SELECT 1 FROM cases LIMIT 1");
  if (!selection && !any.step()) digest_.emplace(maker_of(database, layout));
}

/// The rows are stored already, so that this must not fail: without it they are read at the end.
void StoreConnection::note_written() noexcept try {
  if (!digest_) return;
  rows_->each_shown([this](const RowBatch& batch, std::size_t row) { digest_->take(batch, row); });
} catch (...) {
  digest_.reset();
}

/// A number that changes when another connection has written the file.
std::int64_t StoreConnection::others_writes() {
  Statement version(database, "PRAGMA data_version");
  version.step();
  return version.integer(0);
}

std::optional<Digest> StoreConnection::digest_of_all() {
  if (digest_ && others_writes() == others_writes_) return digest_->digest();
  DigestMaker maker = maker_of(database, layout);
  CaseReader cases(database, layout);
  RowBatch batch(layout);
  for (CaseRow row; cases.next(row);) {
    batch.clear();
    batch.add(row);
    maker.take(batch, 0);
  }
  return maker.digest();
}

void StoreConnection::conclude() {
  const StudyEntry entry{finished_key, "1"};
  if (!selection) try {
      Transaction end(database);
      checksums_->drop();
      set(entry);
      if (const std::optional<Digest> digest = digest_of_all()) {
        if (write_digest(database, *digest))
          for (const char* table : {"digest", "leading"}) checksums_->replace(table);
      }
      checksums_->store();
      end.commit();
      return;
    } catch (const StoreError&) {
      // what is too much for the disk, or damaged, is not needed: without it all cases are read
    }
  write(0, 0, {&entry, 1}, {});
}

void StoreConnection::shrink() {
  if (const std::size_t front = selection->kept().largest_front(); front > most_of_front) {
    const StudyEntry size{front_size_key, std::to_string(front)};
    write(0, 0, {&size, 1}, {});
    select({}, [&] { selection->kept().thin_fronts(); });
  }
  try {
    database.execute("VACUUM");
  } catch (const StoreError&) {
    return;  // there is no room for a second copy; the file is whole, but larger than it had to be
  }
}

}  // namespace counterpoise
