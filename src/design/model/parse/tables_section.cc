#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "model/parse/amount_text.h"
#include "model/parse/duration_text.h"
#include "model/parse/fields.h"
#include "model/parse/indexes_section.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

constexpr seconds kWholePitr{35 * 86400};

void ReadKey(Problems& problems, const Node& node, Table& table) {
  std::vector<KeyAttribute> key = ReadKeyAttributes(problems, node, "key");
  if (key.size() > 2) {
    problems.Add(node.place, "a table's key has one or two attributes", "key: userId str, sk str");
  }
  if (!key.empty()) table.partition = std::move(key[0]);
  if (key.size() > 1) table.sort = std::move(key[1]);
}

void ReadBilling(Problems& problems, const Node& node, Table& table) {
  if (node.IsMap()) {
    table.provisioned = ReadCapacity(problems, node);
  } else if (!node.IsText() || node.text != "on_demand") {
    problems.Add(node.place, "`billing` must be on_demand or {read: 5, write: 5}");
  }
}

// `read` gives nothing for `off`.
template <class T, class ReadValue>
void ReadPerEnvironment(Reading& reading, const Node& node, std::string_view name,
                        PerEnvironment<T>& setting, ReadValue read) {
  const auto one = [&](const Node& value) -> std::optional<T> {
    if (!value.IsText()) {
      reading.problems.AddWrongKind(value, name, "text");
      return std::nullopt;
    }
    return read(value);
  };
  if (!node.IsMap()) {
    setting.everywhere = one(node);
    return;
  }
  const std::vector<std::string>& known = reading.model.assume.environments;
  const std::vector<std::string_view> valid(known.begin(), known.end());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node::Key& environment = node.keys[i];
    if (!valid.empty() && std::ranges::find(valid, environment.text) == valid.end()) {
      reading.problems.AddUnknown(environment.place, "environment", environment.text, valid);
    }
    if (auto value = one(node.items[i])) setting.in.emplace(environment.text, *value);
  }
}

std::optional<seconds> ReadPitr(Problems& problems, const Node& value) {
  if (const auto flag = ReadFlag(value.text)) {
    return *flag ? std::optional(kWholePitr) : std::nullopt;
  }
  const auto duration = ReadDuration(value.text);
  if (duration && *duration >= seconds(86400) && *duration <= kWholePitr) return *duration;
  problems.Add(value.place, fmt::format("`{}`: pitr is kept for 1d to 35d, or is off", value.text));
  return std::nullopt;
}

std::optional<bool> ReadProtection(Problems& problems, const Node& value) {
  const auto flag = ReadFlag(value.text);
  if (!flag) problems.Add(value.place, "`protect` must be true or false");
  return flag;
}

std::string StreamView(const Fields& fields) {
  static constexpr std::array<Choice<std::string_view>, 10> kViews{{
      {"new_and_old_images", "NEW_AND_OLD_IMAGES"},
      {"keys_only", "KEYS_ONLY"},
      {"new_image", "NEW_IMAGE"},
      {"old_image", "OLD_IMAGE"},
      {"off", ""},
      {"none", ""},
      {"NEW_AND_OLD_IMAGES", "NEW_AND_OLD_IMAGES"},
      {"KEYS_ONLY", "KEYS_ONLY"},
      {"NEW_IMAGE", "NEW_IMAGE"},
      {"OLD_IMAGE", "OLD_IMAGE"},
  }};
  return std::string(fields.OneOf<std::string_view>("stream", kViews).value_or(""));
}

Table ReadTable(Reading& reading, const Node::Key& id, const Node& node) {
  static constexpr std::array<Choice<bool>, 3> kClasses{
      {{"standard", false}, {"infrequent", true}, {"infrequent_access", true}}};
  Problems& problems = reading.problems;
  const Fields fields(problems, node, kTableFields);
  Table table{.id = id.text, .name = id.text, .place = id.place};
  if (fields.Has("name")) table.name = fields.Text("name");
  if (const Node* key = fields.Find("key")) ReadKey(problems, *key, table);
  if (const Node* billing = fields.Find("billing")) ReadBilling(problems, *billing, table);
  table.infrequent_access = fields.OneOf<bool>("class", kClasses).value_or(false);
  table.ttl = fields.Text("ttl");
  table.stream = StreamView(fields);
  if (const Node* pitr = fields.Find("pitr")) {
    ReadPerEnvironment(reading, *pitr, "pitr", table.pitr,
                       [&](const Node& value) { return ReadPitr(problems, value); });
  }
  if (const Node* protect = fields.Find("protect")) {
    ReadPerEnvironment(reading, *protect, "protect", table.deletion_protection,
                       [&](const Node& value) { return ReadProtection(problems, value); });
  }
  if (const Node* attributes = fields.Find("attributes")) {
    table.attribute_definitions = ReadKeyAttributes(problems, *attributes, "attributes");
  }
  if (const Node* indexes = fields.Find("indexes")) ReadIndexes(problems, *indexes, table);
  return table;
}

}  // namespace

void ReadTables(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "tables")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    reading.model.tables.push_back(ReadTable(reading, node.keys[i], node.items[i]));
  }
}

}  // namespace stator::model
