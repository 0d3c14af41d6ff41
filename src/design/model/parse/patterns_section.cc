#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parse/fields.h"
#include "model/parse/predicate_text.h"
#include "model/parse/quantity_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

constexpr std::int64_t kMostItems = 1'000'000'000'000;
constexpr std::int64_t kMostGets = 1'000'000;

void ReadFreshness(const Fields& fields, ReadDetail& read) {
  static constexpr std::array<Choice<bool>, 2> kFreshness{{{"strong", true}, {"eventual", false}}};
  read.strong = fields.OneOf<bool>("fresh", kFreshness).value_or(false);
}

void ReadExpired(const Fields& fields, ReadDetail& read) {
  using Expired = ReadDetail::Expired;
  static constexpr std::array<Choice<Expired>, 2> kExpired{
      {{"hide", Expired::kHide}, {"see", Expired::kSee}}};
  read.expired = fields.OneOf<Expired>("expired", kExpired).value_or(Expired::kUnsaid);
}

// "5m" or "5m per_process".
void ReadCache(const Fields& fields, ReadDetail& read) {
  read.cache = fields.Parse("cache", [&](std::string_view text) {
    constexpr std::string_view kPerProcess = " per_process";
    read.cache_per_process = text.ends_with(kPerProcess);
    if (read.cache_per_process) text.remove_suffix(kPerProcess.size());
    return ReadDuration(Trim(text));
  });
}

void ReadSelect(const Fields& fields, ReadDetail& read) {
  static constexpr std::array<Choice<int>, 3> kSelects{
      {{"all", 0}, {"count", 1}, {"count_by_length", 2}}};
  const int select = fields.OneOf<int>("select", kSelects).value_or(0);
  read.count = select == 1;
  read.count_by_length = select == 2;
}

void ReadSource(const Fields& fields, std::string_view field, ReadDetail& read) {
  const std::string source = fields.RequiredText(field);
  const std::size_t dot = source.find('.');
  read.table = source.substr(0, dot);
  if (dot != std::string::npos) read.index = source.substr(dot + 1);
  if (dot == 0 || dot + 1 == source.size()) {
    fields.problems().Add(fields.PlaceOf(field),
                          fmt::format("`{}` must be table or table.Index", field));
  }
}

// One entity, or several.
void ReadOf(const Fields& fields, Pattern& pattern) {
  std::vector<std::string> names = fields.Names("of");
  if (names.size() == 1) {
    pattern.entity = std::move(names.front());
  } else {
    pattern.entities = std::move(names);
  }
}

void ReadPaging(const Fields& fields, ReadDetail& read) {
  read.limit = fields.Count("limit", kMostItems);
  read.page = fields.Count("page", kMostItems);
  read.all = fields.Flag("all");
}

void ReadWhere(const Fields& fields, ReadDetail& read) {
  auto where = fields.PredicateOf("where");
  if (!where) return;
  if (where->any_of.size() > 1) {
    fields.problems().Add(fields.PlaceOf("where"), "`where` cannot hold `or`",
                          "make two patterns, or move it to `filter`");
  }
  read.where = std::move(where->any_of.front());
}

// "Status", or {Status: [FAILED, PENDING]}.
void ReadForeach(const Fields& fields, ReadDetail& read) {
  const Node* node = fields.Find("foreach");
  if (node == nullptr) return;
  if (node->IsText()) {
    read.foreach_attribute = node->text;
  } else if (node->IsMap() && node->items.size() == 1) {
    read.foreach_attribute = node->keys.front().text;
    read.foreach_values = ReadNameList(fields.problems(), node->items.front(), "foreach");
  } else {
    fields.problems().Add(node->place, "`foreach` must name one attribute",
                          "foreach: Status, or foreach: {Status: [FAILED, PENDING]}");
  }
}

void ReadGetPattern(const Fields& fields, Pattern& pattern) {
  ReadDetail& read = pattern.read;
  pattern.entity = fields.RequiredText("get");
  pattern.by = fields.Names("by");
  read.batch = fields.Count("batch", kMostGets).value_or(1);
  read.batched = fields.Flag("batched", true);
  read.needs = fields.Names("needs");
  ReadFreshness(fields, read);
  ReadExpired(fields, read);
  ReadCache(fields, read);
}

void ReadQueryPattern(const Fields& fields, Pattern& pattern) {
  static constexpr std::array<Choice<bool>, 2> kOrders{{{"asc", false}, {"desc", true}}};
  static constexpr std::array<Choice<bool>, 2> kShardsAsked{{{"all", true}, {"one", false}}};
  ReadDetail& read = pattern.read;
  ReadSource(fields, "query", read);
  ReadOf(fields, pattern);
  ReadWhere(fields, read);
  read.filter = fields.PredicateOf("filter");
  read.finds = fields.PredicateOf("finds");
  read.order_stated = fields.Has("order");
  read.descending = fields.OneOf<bool>("order", kOrders).value_or(false);
  read.order_by = fields.Text("order_by");
  ReadPaging(fields, read);
  read.want = fields.Count("want", kMostItems);
  read.first_match = fields.Flag("first_match");
  ReadSelect(fields, read);
  read.needs = fields.Names("needs");
  ReadFreshness(fields, read);
  ReadForeach(fields, read);
  read.all_shards = fields.OneOf<bool>("shards", kShardsAsked).value_or(true);
  read.unique = fields.Flag("unique");
  if (fields.Has("then_get")) read.then_get = fields.Text("then_get");
  ReadExpired(fields, read);
  ReadCache(fields, read);
}

void ReadScanPattern(const Fields& fields, Pattern& pattern) {
  ReadDetail& read = pattern.read;
  ReadSource(fields, "scan", read);
  ReadOf(fields, pattern);
  read.filter = fields.PredicateOf("filter");
  read.finds = fields.PredicateOf("finds");
  ReadPaging(fields, read);
  ReadSelect(fields, read);
  read.needs = fields.Names("needs");
  ReadFreshness(fields, read);
  ReadExpired(fields, read);
}

// A VERB that not every entity has must be a move; that is checked when all entities are known.
void ReadVerb(const Fields& fields, Pattern& pattern) {
  const std::string text = fields.RequiredText("write");
  const std::size_t dot = text.find('.');
  pattern.entity = text.substr(0, dot);
  if (dot == std::string::npos || dot == 0) {
    if (!text.empty()) {
      fields.problems().Add(fields.PlaceOf("write"), "`write` must be Entity.VERB",
                            "VERB is create, put, update, delete, rekey or a move");
    }
    return;
  }
  const std::string verb = text.substr(dot + 1);
  if (const auto kind = FindVerb(verb)) {
    pattern.write.kind = *kind;
  } else {
    pattern.write.kind = WriteKind::kMove;
    pattern.write.move = verb;
  }
}

void ReadWritePattern(const Fields& fields, Pattern& pattern) {
  using ReadFirst = WriteDetail::ReadFirst;
  static constexpr std::array<Choice<ReadFirst>, 3> kReadFirst{
      {{"eventual", ReadFirst::kEventual}, {"strong", ReadFirst::kStrong}, {"no", ReadFirst::kNo}}};
  WriteDetail& write = pattern.write;
  ReadVerb(fields, pattern);
  pattern.by = fields.Names("by");
  write.sets = fields.Names("sets");
  write.removes = fields.Names("removes");
  write.adds = fields.Names("adds");
  if (const Node* guard = fields.Find("guard")) {
    write.guard = ReadGuard(fields.problems(), *guard, &write.condition);
  }
  write.duplicate_share = fields.Share("dup").value_or(0);
  if (fields.Has("derives")) write.derives = fields.Names("derives");
  write.read_first = fields.OneOf<ReadFirst>("read_first", kReadFirst).value_or(ReadFirst::kNo);
  write.sends = fields.Text("sends");
  write.outbox = fields.Flag("outbox");
  write.empty_sets = fields.Names("empty_sets");
}

std::map<std::string, std::string> TextMap(const Fields& fields, std::string_view name) {
  std::map<std::string, std::string> found;
  const Node* node = fields.Find(name);
  if (node == nullptr || !CheckMap(fields.problems(), *node, name)) return found;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    if (!node->items[i].IsText()) {
      fields.problems().AddWrongKind(node->items[i], node->keys[i].text, "text");
    }
    found.emplace(node->keys[i].text, node->items[i].text);
  }
  return found;
}

Code ReadRequest(Problems& problems, const Node& node) {
  const Fields fields(problems, node, kCodeFields);
  Code code{.place = node.place};
  code.api = fields.Text("api");
  code.key_condition = fields.Text("key");
  code.filter = fields.Text("filter");
  code.update = fields.Text("update");
  code.condition = fields.Text("condition");
  code.projection = fields.Text("projection");
  code.names = TextMap(fields, "names");
  code.values = TextMap(fields, "values");
  code.parameters = fields.Names("with");
  return code;
}

// One request or a list of them.
std::vector<Code> ReadRequests(Problems& problems, const Node& node) {
  std::vector<Code> code;
  if (!node.IsList()) {
    code.push_back(ReadRequest(problems, node));
    return code;
  }
  for (const Node& item : node.items) code.push_back(ReadRequest(problems, item));
  return code;
}

constexpr std::size_t kMostPatterns = 10'000;

struct KindOfPattern {
  std::string_view word;
  PatternKind kind;
  const FieldTable* table;
  void (*read)(const Fields& fields, Pattern& pattern);
};

void ReadTransactionPattern(const Fields& fields, Pattern& pattern) {
  pattern.parts = fields.Names("transaction");
}

constexpr std::array kKinds{
    KindOfPattern{"get", PatternKind::kGet, &kGetFields, ReadGetPattern},
    KindOfPattern{"query", PatternKind::kQuery, &kQueryFields, ReadQueryPattern},
    KindOfPattern{"scan", PatternKind::kScan, &kScanFields, ReadScanPattern},
    KindOfPattern{"write", PatternKind::kWrite, &kWriteFields, ReadWritePattern},
    KindOfPattern{"transaction", PatternKind::kTransaction, &kTransactionFields,
                  ReadTransactionPattern},
};

// The kind whose word is a field of the pattern; reports none and several.
const KindOfPattern* FindKind(Problems& problems, const Node::Key& name, const Node& node) {
  const KindOfPattern* found = nullptr;
  for (const KindOfPattern& kind : kKinds) {
    if (node.Find(kind.word) == nullptr) continue;
    if (found != nullptr) {
      problems.Add(name.place, fmt::format("pattern `{}` is both a {} and a {}", name.text,
                                           found->word, kind.word));
    }
    found = &kind;
  }
  if (found == nullptr) {
    problems.Add(name.place, fmt::format("pattern `{}` does not say what it does", name.text),
                 "give it one of get, query, scan, write, transaction");
  }
  return found;
}

void ReadCommonFields(const Reading& reading, const Fields& fields, Pattern& pattern) {
  static constexpr std::array<Choice<PatternClass>, 3> kClasses{
      {{"hot", PatternClass::kHot}, {"ops", PatternClass::kOps}, {"admin", PatternClass::kAdmin}}};
  pattern.rate = fields.RateOf("rate", reading.model.assume);
  pattern.rate_text = fields.Text("rate");
  pattern.class_stated = fields.Has("class");
  pattern.pattern_class =
      fields.OneOf<PatternClass>("class", kClasses).value_or(PatternClass::kHot);
  pattern.reason = fields.Text("reason");
  pattern.on_error = fields.Text("on_error");
  pattern.items = fields.AmountOf("items");
  pattern.scope = fields.Text("scope");
  if (const Node* code = fields.Find("code")) {
    pattern.code = ReadRequests(reading.problems, *code);
  }
}

}  // namespace

void ReadPatterns(Reading& reading, const Node& node) {
  Problems& problems = reading.problems;
  if (!CheckMap(problems, node, "patterns", kMostPatterns)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    const Node::Key& name = node.keys[i];
    if (!CheckMap(problems, value, name.text)) continue;
    const KindOfPattern* kind = FindKind(problems, name, value);
    if (kind == nullptr) continue;
    Pattern pattern{.name = name.text, .kind = kind->kind, .place = name.place};
    const Fields fields(problems, value, *kind->table);
    kind->read(fields, pattern);
    ReadCommonFields(reading, fields, pattern);
    reading.model.patterns.push_back(std::move(pattern));
  }
}

}  // namespace stator::model
