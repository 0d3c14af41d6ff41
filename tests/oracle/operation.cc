#include "tests/oracle/operation.h"

#include <fmt/format.h>

namespace stator::oracle {

namespace {

// An expression with its placeholders filled in, as far as people need it.
std::string Filled(std::string text, const Placeholders& placeholders) {
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
      const std::size_t end = at + what.size();
      if (end < text.size() && text[end] >= '0' && text[end] <= '9') continue;
      text.replace(at, what.size(), with);
    }
  };
  for (const auto& [name, full] : placeholders.names().value_or(NameMap{})) replace(name, full);
  for (const auto& [name, value] : placeholders.values().value_or(ValueMap{})) {
    replace(name, Show(FromLibrary(value.view())));
  }
  return text;
}

template <class Expression>
std::string Shown(const char* label, const Expression& expression) {
  Placeholders placeholders;
  const std::string text = Text(expression, placeholders);
  return fmt::format(" {} {}", label, Filled(text, placeholders));
}

std::string ShowPaths(const std::vector<Path>& paths) {
  std::string text;
  for (const Path& path : paths) text += (text.empty() ? " projecting " : ", ") + Show(path);
  return text;
}

struct Shower {
  std::string operator()(const WriteOperation& write) const {
    std::string text;
    switch (write.form) {
      case WriteOperation::Form::kPut:
        text = "PutItem " + Show(write.item);
        break;
      case WriteOperation::Form::kDelete:
        text = "DeleteItem " + Show(write.key);
        break;
      case WriteOperation::Form::kUpdate:
        text = "UpdateItem " + Show(write.key) + Shown("", write.update);
    }
    if (write.condition) text += Shown("if", *write.condition);
    return text + fmt::format(" returning {}", static_cast<int>(write.returned));
  }
  std::string operator()(const BatchWriteOperation& batch) const {
    std::string text = "BatchWriteItem";
    for (const auto& [key, item] : batch.writes) {
      text += item ? " put " + Show(*item) : " delete " + Show(key);
    }
    return text;
  }
  std::string operator()(const GetOperation& get) const {
    std::string text = get.batch ? "BatchGetItem" : "GetItem";
    for (const Key& key : get.keys) text += " " + Show(key);
    return text + ShowPaths(get.projection);
  }
  std::string operator()(const PageOperation& page) const {
    std::string text = page.query ? "Query" : "Scan";
    if (page.index) text += " " + *page.index;
    for (const Value& value : page.partition) text += " " + Show(value);
    for (const SortTerm& term : page.sort) {
      text += " " + term.comparator;
      for (const Value& value : term.values) text += " " + Show(value);
    }
    if (!page.forward) text += " backward";
    if (page.limit) text += fmt::format(" limit {}", *page.limit);
    if (page.filter) text += Shown("where", *page.filter);
    if (page.select) text += fmt::format(" select {}", static_cast<int>(*page.select));
    if (page.start_fraction) text += fmt::format(" from {}", *page.start_fraction);
    if (page.start_key) text += " behind " + Show(*page.start_key);
    if (page.total_segments) text += fmt::format(" {} of {}", page.segment, *page.total_segments);
    return text + ShowPaths(page.projection) + (page.consistent ? " consistent" : "");
  }
  std::string operator()(const IndexChange&) const { return "add or drop the late index"; }
};

}  // namespace

std::string Show(const RandomOperation& operation) { return std::visit(Shower{}, operation); }

std::vector<Key> WrittenKeys(const RandomOperation& operation) {
  if (const auto* write = std::get_if<WriteOperation>(&operation)) return {write->key};
  std::vector<Key> keys;
  if (const auto* batch = std::get_if<BatchWriteOperation>(&operation)) {
    for (const auto& [key, item] : batch->writes) keys.push_back(key);
  }
  return keys;
}

namespace {

constexpr std::size_t kNewestMax = 4;
constexpr std::size_t kWritesOfKeyMax = 12;

// What the operation does to this item alone.
RandomOperation Narrowed(const RandomOperation& operation, const Key& key) {
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

void OperationLog::Add(std::uint64_t number, const RandomOperation& operation) {
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

}  // namespace stator::oracle
