// AttributeValue and Item of stator/item.h.
#include "stator/item.h"

#include <simdjson.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "value/base64.h"
#include "value/item_codec.h"
#include "value/number.h"
#include "value/set_builder.h"
#include "value/value_problem.h"

namespace stator {
namespace {

using Kind = ValueProblem::Kind;
using ProblemPtr = std::shared_ptr<const ValueProblem>;

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

ProblemPtr MakeProblem(ValueProblem problem) {
  return std::make_shared<const ValueProblem>(std::move(problem));
}

// A copy that shares the problem with the value it came from.
ProblemPtr ProblemOf(const AttributeValue& value) {
  return value.problem() == nullptr ? nullptr : MakeProblem(*value.problem());
}

ProblemPtr NameProblem(std::string_view name) {
  if (name.empty()) return MakeProblem({.kind = Kind::kEmptyName});
  if (name.size() > kMaxNameBytes) return MakeProblem({.kind = Kind::kNameTooLong});
  if (!IsUtf8(name)) return MakeProblem({.kind = Kind::kNotUtf8});
  return nullptr;
}

struct MapBody {
  std::string encoded;
  ProblemPtr problem;
};

// Encodes entries given in any order; of equal names the last one counts, also for its problem.
template <class Entries>
MapBody EncodeMap(const Entries& entries) {
  using Entry = std::ranges::range_value_t<Entries>;
  std::vector<const Entry*> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(&entry);
  // Entries lie one behind the other, so the lower address was given first.
  std::ranges::sort(sorted, {}, [](const Entry* entry) {
    return std::pair(std::string_view(entry->first), entry);
  });
  MapBody body;
  const Entry* first_bad = nullptr;
  ItemBuilder builder;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Entry& entry = *sorted[i];
    if (i + 1 < sorted.size() && entry.first == sorted[i + 1]->first) continue;
    ProblemPtr name_problem = NameProblem(entry.first);
    if (!name_problem) builder.Add(entry.first, entry.second.view());
    ProblemPtr problem = name_problem ? name_problem : ProblemOf(entry.second);
    if (problem && (first_bad == nullptr || &entry < first_bad)) {
      first_bad = &entry;
      body.problem = std::move(problem);
    }
  }
  body.encoded = std::move(builder).Finish();
  return body;
}

AttributeValue FromSet(Type type, const std::vector<std::string>& members) {
  SetBuilder builder(type, Wording::kCurrent, members.size());
  for (const std::string& member : members) builder.Add(member);
  std::string encoded;
  std::optional<ValueProblem> problem;
  {
    OutputCursor out(encoded);
    problem = builder.Finish(out);
  }
  if (problem) return AttributeValue::WithProblem(*std::move(problem));
  return AttributeValue::FromEncoded(std::move(encoded));
}

}  // namespace

AttributeValue::AttributeValue(std::string_view text) {
  if (IsUtf8(text)) {
    AppendString(encoded_, text);
    ShareLarge();
  } else {
    AppendNull(encoded_);
    problem_ = MakeProblem({.kind = Kind::kNotUtf8});
  }
}

AttributeValue AttributeValue::Number(std::string_view text) {
  const auto number = stator::Number::Parse(text);
  if (!number) return WithProblem(NumberProblemOf(number.error(), text));
  std::string encoded;
  AppendNumber(encoded, *number);
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::FromInt64(std::int64_t number) {
  std::string encoded;
  AppendNumber(encoded, stator::Number::FromInt64(number));
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::FromUint64(std::uint64_t number) {
  std::string encoded;
  AppendNumber(encoded, stator::Number::FromUint64(number));
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::Binary(std::string_view bytes) {
  std::string encoded;
  AppendBinary(encoded, bytes);
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::Bool(bool value) {
  std::string encoded;
  AppendBool(encoded, value);
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::Null() {
  std::string encoded;
  AppendNull(encoded);
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::StringSet(const std::vector<std::string>& members) {
  if (!std::ranges::all_of(members, IsUtf8)) return WithProblem({.kind = Kind::kNotUtf8});
  return FromSet(Type::kSS, members);
}

AttributeValue AttributeValue::NumberSet(const std::vector<std::string>& members) {
  return FromSet(Type::kNS, members);
}

AttributeValue AttributeValue::BinarySet(const std::vector<std::string>& members) {
  return FromSet(Type::kBS, members);
}

AttributeValue AttributeValue::List(const std::vector<AttributeValue>& elements) {
  AttributeValue list(RawTag{}, {});
  const std::size_t begun = BeginContainer(list.encoded_, Type::kL, elements.size());
  for (const AttributeValue& element : elements) {
    list.encoded_.append(element.encoded());
    if (!list.problem_) list.problem_ = element.problem_;
  }
  EndContainer(list.encoded_, begun);
  list.ShareLarge();
  if (NestingDepth(list.view()) > kMaxNesting) return WithProblem({.kind = Kind::kTooDeep});
  return list;
}

AttributeValue AttributeValue::Map(
    const std::vector<std::pair<std::string, AttributeValue>>& entries) {
  MapBody body = EncodeMap(entries);
  AttributeValue map(RawTag{}, {});
  AppendMap(map.encoded_, body.encoded);
  map.ShareLarge();
  map.problem_ = std::move(body.problem);
  if (NestingDepth(map.view()) > kMaxNesting) return WithProblem({.kind = Kind::kTooDeep});
  return map;
}

AttributeValue AttributeValue::FromEncoded(std::string encoded) {
  return {RawTag{}, std::move(encoded)};
}

AttributeValue AttributeValue::WithProblem(ValueProblem problem) {
  return WithProblem(std::move(problem), Null().encoded());
}

AttributeValue AttributeValue::WithProblem(ValueProblem problem, std::string encoded) {
  AttributeValue value(RawTag{}, std::move(encoded));
  value.problem_ = MakeProblem(std::move(problem));
  return value;
}

Item::Item(std::initializer_list<std::pair<std::string_view, AttributeValue>> attributes) {
  MapBody body = EncodeMap(attributes);
  encoded_ = std::move(body.encoded);
  problem_ = std::move(body.problem);
}

Item::Item(const std::vector<std::pair<std::string, AttributeValue>>& attributes) {
  MapBody body = EncodeMap(attributes);
  encoded_ = std::move(body.encoded);
  problem_ = std::move(body.problem);
}

Item Item::FromEncoded(std::string encoded) {
  Item item;
  item.encoded_ = std::move(encoded);
  return item;
}

Item Item::WithProblem(ValueProblem problem) {
  return WithProblem(std::move(problem), Item().encoded_);
}

Item Item::WithProblem(ValueProblem problem, std::string encoded) {
  Item item = FromEncoded(std::move(encoded));
  item.problem_ = MakeProblem(std::move(problem));
  return item;
}

void Item::Set(std::string_view name, const AttributeValue& value) {
  if (!problem_) {
    problem_ = NameProblem(name);
    if (!problem_) problem_ = ProblemOf(value);
  }
  if (NameProblem(name)) return;
  ItemBuilder builder;
  bool added = false;
  for (const auto& [old_name, old_value] : *this) {
    if (!added && old_name >= name) {
      builder.Add(name, value.view());
      added = true;
    }
    if (old_name != name) builder.Add(old_name, old_value);
  }
  if (!added) builder.Add(name, value.view());
  encoded_ = std::move(builder).Finish();
}

void Item::Remove(std::string_view name) {
  ItemBuilder builder;
  for (const auto& [old_name, old_value] : *this) {
    if (old_name != name) builder.Add(old_name, old_value);
  }
  encoded_ = std::move(builder).Finish();
}

}  // namespace stator
