#include "tests/model/late_index.h"

#include <algorithm>
#include <utility>

#include "tests/model/schema.h"

namespace stator::model_test {

void LateIndex::Change() {
  const State before = state_;
  if (before == State::kChanging || before == State::kFailed) return;
  Settle();
  state_ = State::kChanging;
  thread_ = std::thread([this, before] { before == State::kAbsent ? Add() : Drop(); });
}

void LateIndex::Settle() {
  if (thread_.joinable()) thread_.join();
}

void LateIndex::Fail(std::string problem) {
  problem_ = std::move(problem);
  state_ = State::kFailed;
}

void LateIndex::Add() {
  const Result<UpdateTableResponse> added = database_.UpdateTable(Schema::AddLateIndexRequest());
  if (!added) return Fail("adding the late index: " + added.error().message());
  database_.WaitForBackgroundWork();
  const Result<DescribeTableResponse> described =
      database_.DescribeTable({.table_name = kTableName});
  if (!described) return Fail("DescribeTable: " + described.error().message());
  for (const TableDescription::Index& index : described->table.global_secondary_indexes) {
    if (index.index_name != kLateIndexName) continue;
    if (index.index_status != IndexStatus::kActive) return Fail("the late index is not ACTIVE");
    if (index.backfilling) return Fail("the late index is ACTIVE and still has Backfilling");
    state_ = State::kActive;
    return;
  }
  Fail("the late index is not in DescribeTable");
}

void LateIndex::Drop() {
  const Result<UpdateTableResponse> dropped = database_.UpdateTable(Schema::DropLateIndexRequest());
  if (!dropped) return Fail("dropping the late index: " + dropped.error().message());
  database_.WaitForBackgroundWork();
  const Result<DescribeTableResponse> described =
      database_.DescribeTable({.table_name = kTableName});
  if (!described) return Fail("DescribeTable: " + described.error().message());
  const bool gone = std::ranges::none_of(
      described->table.global_secondary_indexes,
      [](const TableDescription::Index& index) { return index.index_name == kLateIndexName; });
  if (!gone) return Fail("the late index is still in DescribeTable");
  state_ = State::kAbsent;
}

}  // namespace stator::model_test
