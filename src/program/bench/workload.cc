#include "bench/workload.h"

#include <algorithm>

namespace stator::bench {
namespace {

using enum Operation;
using enum TableKind;
using enum KeyDistribution;

std::vector<Workload> MakeWorkloads() {
  return {
      {"get", "GetItem", kItems, kUniform, {{kGetItem, 1}}},
      {"put", "PutItem over existing items", kItems, kUniform, {{kPutItem, 1}}},
      {"insert", "PutItem of new items", kItems, kUniform, {{kInsert, 1}}},
      {"put3gsi", "PutItem, three global indexes", kIndexed, kUniform, {{kPutItem, 1}}},
      {"update", "UpdateItem", kItems, kUniform, {{kUpdateItem, 1}}},
      {"cupdate", "UpdateItem with a condition", kItems, kUniform, {{kConditionalUpdate, 1}}},
      {"query", "Query of a range", kRanges, kUniform, {{kQuery, 1}}},
      {"scan", "Scan of one page", kItems, kUniform, {{kScan, 1}}},
      {"batch", "BatchWriteItem of 25 items", kItems, kUniform, {{kBatchWriteItem, 1}}},
      {"batchget", "BatchGetItem of 25 items", kItems, kUniform, {{kBatchGetItem, 1}}},
      {"transact", "TransactWriteItems of 100 puts", kItems, kUniform, {{kTransactWriteItems, 1}}},
      {"mix-a",
       "YCSB A: 50 % read, 50 % update",
       kItems,
       kZipfian,
       {{kGetItem, 0.5}, {kUpdateItem, 0.5}}},
      {"mix-b",
       "YCSB B: 95 % read, 5 % update",
       kItems,
       kZipfian,
       {{kGetItem, 0.95}, {kUpdateItem, 0.05}}},
      {"mix-c", "YCSB C: read", kItems, kZipfian, {{kGetItem, 1}}},
      {"mix-d",
       "YCSB D: 95 % read of the latest, 5 % insert",
       kItems,
       kLatest,
       {{kGetItem, 0.95}, {kInsert, 0.05}}},
      {"mix-e",
       "YCSB E: 95 % scan of up to 100 items, 5 % insert",
       kItems,
       kZipfian,
       {{kScan, 0.95}, {kInsert, 0.05}}},
      {"mix-f",
       "YCSB F: 50 % read, 50 % read-modify-write",
       kItems,
       kZipfian,
       {{kGetItem, 0.5}, {kReadModifyWrite, 0.5}}},
  };
}

}  // namespace

std::string_view ReportName(Operation operation) {
  switch (operation) {
    case kInsert:
      return "PutItem (new)";
    case kConditionalUpdate:
      return "UpdateItem (condition)";
    case kReadModifyWrite:
      return "read-modify-write";
    default:
      return WireName(operation);
  }
}

std::string_view WireName(Operation operation) {
  switch (operation) {
    case kGetItem:
    case kReadModifyWrite:  // its first half
      return "GetItem";
    case kPutItem:
    case kInsert:
      return "PutItem";
    case kUpdateItem:
    case kConditionalUpdate:
      return "UpdateItem";
    case kQuery:
      return "Query";
    case kScan:
      return "Scan";
    case kBatchGetItem:
      return "BatchGetItem";
    case kBatchWriteItem:
      return "BatchWriteItem";
    case kTransactWriteItems:
      return "TransactWriteItems";
  }
  return {};
}

std::span<const Workload> AllWorkloads() {
  static const std::vector<Workload> kWorkloads = MakeWorkloads();
  return kWorkloads;
}

const Workload* FindWorkload(std::string_view name) {
  const auto all = AllWorkloads();
  const auto found = std::ranges::find(all, name, &Workload::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace stator::bench
