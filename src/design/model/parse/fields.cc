#include "model/parse/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "model/parse/amount_text.h"
#include "model/parse/duration_text.h"
#include "model/parse/nearest_name.h"
#include "model/parse/predicate_text.h"

namespace stator::model {
namespace {

// The nearest field; else the parts that have the field, which was put into the wrong one.
std::string FieldHint(std::string_view name, const FieldTable& table) {
  const std::string_view nearest = NearestName(name, table.names);
  if (!nearest.empty()) return fmt::format("did you mean `{}`?", nearest);
  std::vector<std::string_view> owners;
  for (const FieldTable* other : AllFieldTables()) {
    if (other->Has(name)) owners.push_back(other->part);
  }
  if (!owners.empty()) {
    return fmt::format("it belongs to {}, this is {}", fmt::join(owners, ", "), table.part);
  }
  return fmt::format("{} has {}", table.part, fmt::join(table.names, ", "));
}

}  // namespace

Fields::Fields(Problems& problems, const Node& node, const FieldTable& table)
    : problems_(problems), node_(node), table_(table) {
  if (!CheckMap(problems, node, table.part)) return;
  for (const Node::Key& key : node.keys) {
    if (problems.full()) return;
    if (!table.Has(key.text)) {
      problems.Add(key.place, fmt::format("unknown field `{}`", key.text),
                   FieldHint(key.text, table));
    }
  }
}

const Node* Fields::Find(std::string_view name) const {
  STATOR_CHECK(table_.Has(name));
  const Node* value = node_.Find(name);
  return value == nullptr || value->kind == Node::Kind::kNothing ? nullptr : value;
}

Place Fields::PlaceOf(std::string_view name) const {
  const Node* value = Find(name);
  return value == nullptr ? node_.place : value->place;
}

const Node* Fields::FindText(std::string_view name) const {
  const Node* value = Find(name);
  if (value == nullptr || value->IsText()) return value;
  problems_.AddWrongKind(*value, name, "text");
  return nullptr;
}

std::string Fields::Text(std::string_view name) const {
  const Node* text = FindText(name);
  return text == nullptr ? "" : text->text;
}

std::string Fields::RequiredText(std::string_view name) const {
  const Node* value = Find(name);
  if (node_.IsMap() && (value == nullptr || (value->IsText() && Trim(value->text).empty()))) {
    problems_.Add(node_.place, fmt::format("{} lacks `{}`", table_.part, name));
  }
  return Text(name);
}

bool Fields::Flag(std::string_view name, bool otherwise) const {
  const Node* text = FindText(name);
  if (text == nullptr) return otherwise;
  if (const auto flag = ReadFlag(text->text)) return *flag;
  problems_.Add(text->place, fmt::format("`{}` must be true or false, not `{}`", name, text->text));
  return otherwise;
}

std::vector<std::string> Fields::Names(std::string_view name) const {
  const Node* value = Find(name);
  return value == nullptr ? std::vector<std::string>() : ReadNameList(problems_, *value, name);
}

std::optional<std::chrono::seconds> Fields::Duration(std::string_view name) const {
  return Parse(name, ReadDuration);
}

std::optional<Amount> Fields::AmountOf(std::string_view name) const {
  return Parse(name, ReadAmount);
}

std::optional<double> Fields::Share(std::string_view name) const { return Parse(name, ReadShare); }

std::optional<std::int64_t> Fields::Count(std::string_view name, std::int64_t most) const {
  return Parse(name, [most](std::string_view text) { return ReadCount(text, most); });
}

std::optional<Predicate> Fields::PredicateOf(std::string_view name) const {
  const Node* text = FindText(name);
  return text == nullptr ? std::nullopt : ReadPredicateNode(problems_, *text);
}

bool CheckMap(Problems& problems, const Node& node, std::string_view name,
              std::size_t most_entries) {
  if (!node.IsMap()) {
    problems.AddWrongKind(node, name, "a map");
    return false;
  }
  if (node.items.size() <= most_entries) return true;
  problems.Add(node.place, fmt::format("`{}` has {} entries; at most {} are allowed", name,
                                       node.items.size(), most_entries));
  return false;
}

std::vector<std::string> ReadNameList(Problems& problems, const Node& node, std::string_view name) {
  std::vector<std::string> names;
  if (node.IsText()) {
    for (const std::string_view word : SplitText(node.text, ',')) names.emplace_back(word);
    return names;
  }
  if (!node.IsList()) {
    problems.AddWrongKind(node, name, "a list of names");
    return names;
  }
  for (const Node& item : node.items) {
    if (item.IsText()) {
      names.push_back(item.text);
    } else {
      problems.AddWrongKind(item, name, "a list of names");
    }
  }
  return names;
}

std::optional<bool> ReadFlag(std::string_view word) {
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::optional<Predicate> ReadPredicateNode(Problems& problems, const Node& node) {
  auto predicate = ReadPredicate(node);
  if (predicate) return *std::move(predicate);
  problems.Add(node.At(predicate.error().offset), predicate.error().message);
  return std::nullopt;
}

}  // namespace stator::model
