#include "tests/model/operation_log.h"

#include <fmt/format.h>

namespace stator::model_test {
namespace {

constexpr std::size_t kNewestMax = 4;
constexpr std::size_t kWritesOfKeyMax = 12;

// What the operation does to this item alone.
Operation Narrowed(const Operation& operation, const Key& key) {
  const auto* batch = std::get_if<BatchWriteOperation>(&operation);
  if (!batch) return operation;
  BatchWriteOperation narrow = *batch;
  std::erase_if(narrow.writes, [&](const auto& write) { return !(write.first == key); });
  return narrow;
}

}  // namespace

void OperationLog::Keep(std::deque<Entry>& entries, std::size_t count_max) {
  while (entries.size() > count_max) entries.pop_front();
}

void OperationLog::Add(std::uint64_t number, const Operation& operation) {
  newest_.push_back({number, operation});
  Keep(newest_, kNewestMax);
  if (std::holds_alternative<IndexChange>(operation)) {
    index_changes_.push_back({number, operation});
    Keep(index_changes_, kNewestMax);
  }
  for (const Key& key : WrittenKeys(operation)) {
    std::deque<Entry>& writes = writes_[key];
    writes.push_back({number, Narrowed(operation, key)});
    Keep(writes, kWritesOfKeyMax);
  }
}

std::string OperationLog::Tell(const std::optional<Key>& key) const {
  std::string text;
  const auto tell = [&](const char* title, const std::deque<Entry>& entries) {
    if (entries.empty()) return;
    text += fmt::format("{}\n", title);
    for (const Entry& entry : entries) {
      text += fmt::format("  {}: {}\n", entry.number, Show(entry.operation));
    }
  };
  tell("last changes of the late index:", index_changes_);
  if (key && writes_.contains(*key)) {
    tell(fmt::format("last writes of {}:", Show(*key)).c_str(), writes_.at(*key));
  }
  tell("last operations:", newest_);
  return text;
}

}  // namespace stator::model_test
