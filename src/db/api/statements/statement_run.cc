#include "api/statements/statement_run.h"

#include <algorithm>
#include <utility>

#include "api/items/page_rules.h"
#include "api/items/write_rules.h"
#include "api/next_token.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/read/read_path.h"

namespace stator {
namespace {

using Access = partiql::ReadPlan::Access;

std::size_t CountReads(const SelectPlan& plan) {
  return plan.reads.access == Access::kScan ? 1 : plan.reads.reads.size();
}

// Where the page begins.
Result<std::optional<ReadPosition>> StartOf(const Engine& engine, const SelectPlan& plan,
                                            const SelectOptions& options) {
  if (!options.next_token) return std::nullopt;
  ASSIGN_OR_RETURN(ReadPosition start,
                   ReadNextToken(engine.hasher(), options.request, *options.next_token));
  const PageRequest position{.exclusive_start_key = start.last_key};
  if (start.read >= CountReads(plan) ||
      !CheckStartShape(position, *plan.page.table, plan.page.index) ||
      !CheckStartKey(position, *plan.page.table, plan.page.index)) {
    return std::unexpected(InvalidNextToken());
  }
  return start;
}

// One read of the statement, as a page of its own.
PagePlan PageOf(const KeyHasher& hasher, const SelectPlan& plan, std::size_t read) {
  PagePlan page = plan.page;
  if (plan.reads.access == Access::kScan) {
    page.rows = SegmentRows(page.table->number, page.index ? page.index->number : IndexNumber{0},
                            /*segment=*/0, /*total=*/1);
    page.filter = plan.reads.filter;
    return page;
  }
  const partiql::KeyedRead& keyed = plan.reads.reads[read];
  BoundKey key;
  key.hash.push_back(&keyed.partition);
  if (keyed.sort) key.range.push_back(&*keyed.sort);
  page.rows = RowsOf(hasher, *page.table, page.index, key);
  page.filter = keyed.filter;
  return page;
}

void Append(ItemList& items, ItemList&& more) {
  if (items.empty()) {
    items = std::move(more);
    return;
  }
  for (std::size_t i = 0; i < more.size(); ++i) items.Append(more[i]);
}

}  // namespace

Result<ExecuteStatementResponse> RunSelect(Engine& engine, const SelectPlan& plan,
                                           const SelectOptions& options) {
  ASSIGN_OR_RETURN(const std::optional<ReadPosition> start, StartOf(engine, plan, options));
  if (plan.reads.access == Access::kScan) engine.CountStatementScan();
  const std::size_t reads = CountReads(plan);
  const bool wants_capacity = options.capacity != ReturnConsumedCapacity::kNone;
  ExecuteStatementResponse response;
  std::optional<std::int64_t> rows_left = options.limit;
  std::size_t bytes_left = kPageBytes;
  // What cannot match anything is charged as a read that finds nothing.
  double units = reads == 0 ? ReadUnits(ReadBlocks(0), options.consistent) : 0;
  double fetched_units = 0;
  for (std::size_t read = start ? start->read : 0; read < reads; ++read) {
    PagePlan page = PageOf(engine.hasher(), plan, read);
    if (start && read == start->read) {
      StartAfter(page, StartRow(engine.hasher(), *page.table, page.index, start->last_key.view()));
    }
    page.limit = rows_left;
    page.max_bytes = bytes_left;
    page.count_bytes = wants_capacity || reads > 1;
    ASSIGN_OR_RETURN(ItemPage rows, ReadRows(engine, page));
    Append(response.items, std::move(rows.items));
    units += ReadUnits(ReadBlocks(rows.evaluated_bytes), options.consistent);
    fetched_units += ReadUnits(rows.fetched_blocks, options.consistent);
    if (rows.last_evaluated_key) {
      response.next_token = MakeNextToken(
          engine.hasher(), options.request,
          {.read = static_cast<std::uint16_t>(read), .last_key = *rows.last_evaluated_key});
      response.last_evaluated_key = std::move(rows.last_evaluated_key);
      break;
    }
    // A read that had used up either would have stopped at its last row.
    bytes_left -= std::min(bytes_left, rows.evaluated_bytes);
    if (rows_left) *rows_left -= rows.scanned_count;
  }
  if (wants_capacity) {
    response.consumed_capacity = PageCapacity(options.table_reference, plan.page.index, units,
                                              fetched_units, options.capacity);
  }
  return response;
}

void RunWrite(Engine& engine, StatementWrite&& plan, Reply<WrittenStatement> reply) {
  std::optional<Update> update;
  if (plan.returned != ReturnValues::kNone) update = plan.write.update;
  engine.WriteItem(std::move(plan.write), [returned = plan.returned, is_insert = plan.is_insert,
                                           update = std::move(update), reply = std::move(reply)](
                                              Result<WriteOutcome> outcome) mutable {
    if (!outcome) {
      Error error = std::move(outcome).error();
      if (is_insert && error.code() == ErrorCode::kConditionalCheckFailed) {
        error = Error::DuplicateItem(error.item());
      }
      return reply(std::unexpected(std::move(error)));
    }
    reply(WrittenStatement{.item = ReturnedAttributes(returned, update, *outcome),
                           .units = std::move(outcome->units)});
  });
}

}  // namespace stator
