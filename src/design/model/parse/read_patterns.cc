#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "model/parse/duration_text.h"
#include "model/parse/pattern_parts.h"

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

}  // namespace

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
  static constexpr std::array<Choice<bool>, 2> kShards{{{"all", true}, {"one", false}}};
  ReadDetail& read = pattern.read;
  ReadSource(fields, "query", read);
  pattern.entity = fields.Text("of");
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
  read.all_shards = fields.OneOf<bool>("shards", kShards).value_or(true);
  read.unique = fields.Flag("unique");
  if (fields.Has("then_get")) read.then_get = fields.Text("then_get");
  ReadExpired(fields, read);
  ReadCache(fields, read);
}

void ReadScanPattern(const Fields& fields, Pattern& pattern) {
  ReadDetail& read = pattern.read;
  ReadSource(fields, "scan", read);
  pattern.entity = fields.Text("of");
  read.filter = fields.PredicateOf("filter");
  read.finds = fields.PredicateOf("finds");
  ReadPaging(fields, read);
  ReadSelect(fields, read);
  read.needs = fields.Names("needs");
  ReadFreshness(fields, read);
  ReadExpired(fields, read);
}

}  // namespace stator::model
