#include "tests/model/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/model/page_check.h"

namespace stator::model_test {
namespace {

Verdict Prefixed(const std::string& where, Verdict verdict) {
  if (verdict) verdict->what = where + ": " + verdict->what;
  return verdict;
}

PageOperation WholeOf(const IndexSchema* index) {
  PageOperation page;
  if (index) page.index = index->name;
  page.capacity = ReturnConsumedCapacity::kIndexes;
  return page;
}

// By small pages, and by segments.
Verdict CheckScans(Database& database, const Model& model, const IndexSchema* index,
                   Reached& reached) {
  PageOperation paged = WholeOf(index);
  paged.limit = 5;
  RETURN_IF_MISMATCH(PageCheck(database, model, paged, reached).Run());
  PageOperation segmented = WholeOf(index);
  segmented.total_segments = 4;
  segmented.segment = 2;
  segmented.limit = 3;
  return PageCheck(database, model, segmented, reached).Run();
}

// Every partition, backward.
Verdict CheckPartitions(Database& database, const Model& model, const IndexSchema* index,
                        Reached& reached) {
  std::vector<std::vector<Value>> partitions;
  for (const auto& [key, entry] : model.Entries(index)) {
    std::vector<Value> partition;
    for (const KeyPart& part : Schema::HashParts(index)) {
      partition.push_back(*Find(entry, part.name));
    }
    if (std::ranges::find(partitions, partition) == partitions.end()) {
      partitions.push_back(partition);
    }
  }
  for (const std::vector<Value>& partition : partitions) {
    PageOperation page = WholeOf(index);
    page.query = true;
    page.partition = partition;
    page.forward = false;
    page.limit = 4;
    RETURN_IF_MISMATCH(PageCheck(database, model, page, reached).Run());
  }
  return std::nullopt;
}

struct Counts {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};

Verdict CompareCounts(const Model& model, const IndexSchema* index, const Counts& described) {
  Counts expected;
  for (const auto& [key, entry] : model.Entries(index)) {
    ++expected.items;
    expected.bytes += static_cast<std::int64_t>(SizeBytes(entry));
  }
  if (described.items == expected.items && described.bytes == expected.bytes) return std::nullopt;
  return Mismatch{fmt::format("DescribeTable tells {} items of {} bytes, there are {} of {}",
                              described.items, described.bytes, expected.items, expected.bytes),
                  std::nullopt};
}

Verdict CheckCounts(Database& database, const Model& model) {
  const Result<DescribeTableResponse> answer = database.DescribeTable({.table_name = kTableName});
  if (!answer) return Mismatch{"DescribeTable: " + answer.error().message(), std::nullopt};
  const TableDescription& table = answer->table;
  RETURN_IF_MISMATCH(
      CompareCounts(model, nullptr, {.items = table.item_count, .bytes = table.table_size_bytes}));
  std::vector<TableDescription::Index> described = table.local_secondary_indexes;
  described.insert(described.end(), table.global_secondary_indexes.begin(),
                   table.global_secondary_indexes.end());
  for (const IndexSchema& index : model.schema().indexes()) {
    const auto found =
        std::ranges::find(described, index.name, &TableDescription::Index::index_name);
    if (found == described.end()) return Mismatch{index.name + " is not described", std::nullopt};
    RETURN_IF_MISMATCH(Prefixed(
        index.name, CompareCounts(model, &index,
                                  {.items = found->item_count, .bytes = found->index_size_bytes})));
  }
  return std::nullopt;
}

Verdict CheckReads(Database& database, const Model& model, const IndexSchema* index,
                   Reached& reached) {
  RETURN_IF_MISMATCH(CheckScans(database, model, index, reached));
  return CheckPartitions(database, model, index, reached);
}

}  // namespace

Verdict CheckInvariants(Database& database, const Model& model) {
  Reached reached;  // what the invariants read says nothing about the operations
  RETURN_IF_MISMATCH(Prefixed("table", CheckReads(database, model, nullptr, reached)));
  for (const IndexSchema& index : model.schema().indexes()) {
    RETURN_IF_MISMATCH(Prefixed(index.name, CheckReads(database, model, &index, reached)));
  }
  return CheckCounts(database, model);
}

}  // namespace stator::model_test
