#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "model/parse/attribute_text.h"
#include "model/parse/fields.h"
#include "model/parse/predicate_text.h"
#include "model/parse/quantity_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

constexpr seconds kWholePitr{35 * 86400};
constexpr std::size_t kMostKeyAttributes = 4;
constexpr std::int64_t kMostShards = 10'000;

void AddKeyAttributes(Problems& problems, const Node& node, std::vector<KeyAttribute>& found) {
  for (const std::string_view text : SplitText(node.text, ',')) {
    const std::vector<std::string_view> words = SplitWords(text);
    if (words.size() != 2) {
      problems.Add(node.place, fmt::format("`{}` must be a name and a type", text), "id str");
      continue;
    }
    const auto type = TypeOfWord(words[1]);
    if (!type || (*type != Type::kS && *type != Type::kN && *type != Type::kB)) {
      problems.Add(node.place, fmt::format("`{}`: a key is str, num or bin", text));
    }
    found.push_back({std::string(words[0]), type.value_or(Type::kS), node.place});
  }
}

// "userId str, sk num", or a list of such texts.
std::vector<KeyAttribute> ReadKeyAttributes(Problems& problems, const Node& node,
                                            std::string_view name) {
  std::vector<KeyAttribute> found;
  if (node.IsText()) {
    AddKeyAttributes(problems, node, found);
  } else if (!node.IsList()) {
    problems.AddWrongKind(node, name, "`NAME TYPE`, or a list of them");
  }
  for (const Node& item : node.items) {
    if (!node.IsList()) break;
    if (item.IsText()) {
      AddKeyAttributes(problems, item, found);
    } else {
      problems.AddWrongKind(item, name, "a list of `NAME TYPE`");
    }
  }
  return found;
}

Capacity ReadCapacity(Problems& problems, const Node& node) {
  const Fields fields(problems, node, kCapacityFields);
  Capacity capacity{.place = node.place};
  capacity.read = fields.AmountOf("read").value_or(Amount{}).typical;
  capacity.write = fields.AmountOf("write").value_or(Amount{}).typical;
  return capacity;
}

Projection ReadProjection(Problems& problems, const Node& node) {
  Projection projection{.stated = true, .place = node.place};
  if (node.IsList()) {
    projection.kind = Projection::Kind::kInclude;
    projection.attributes = ReadNameList(problems, node, "project");
  } else if (node.IsText() && (node.text == "keys" || node.text == "keys_only")) {
    projection.kind = Projection::Kind::kKeysOnly;
  } else if (!node.IsText() || node.text != "all") {
    problems.Add(node.place, "`project` must be all, keys, or a list of attributes");
  }
  return projection;
}

Sparse ReadSparse(Problems& problems, const Node& node) {
  Sparse sparse{.place = node.place};
  if (node.IsText()) {
    // `sparse: true`: the index holds only the items that have its keys.
    if (!ReadFlag(node.text).value_or(false)) sparse.when = ReadPredicate(problems, node);
    return sparse;
  }
  const Fields fields(problems, node, kSparseFields);
  sparse.when = fields.PredicateOf("when");
  sparse.share = fields.Share("share").value_or(1);
  return sparse;
}

Shards ReadShards(Problems& problems, const Node& node) {
  Shards shards{.place = node.place};
  if (node.IsText()) {
    const auto count = ReadCount(node.text, kMostShards);
    if (!count) problems.Add(node.place, count.error());
    shards.count = static_cast<int>(count.value_or(1));
    return shards;
  }
  const Fields fields(problems, node, kShardsFields);
  shards.count = static_cast<int>(fields.Count("n", kMostShards).value_or(1));
  if (!fields.Has("n")) fields.RequiredText("n");
  std::string by = fields.Text("by");
  if (by.starts_with("hash(") && by.ends_with(')')) by = by.substr(5, by.size() - 6);
  if (by != "random") shards.by = std::move(by);
  return shards;
}

std::vector<KeyAttribute> ReadIndexKey(const Fields& fields, std::string_view name) {
  const Node* node = fields.Find(name);
  if (node == nullptr) return {};
  std::vector<KeyAttribute> key = ReadKeyAttributes(fields.problems(), *node, name);
  if (key.size() > kMostKeyAttributes) {
    fields.problems().Add(
        node->place, fmt::format("`{}` has more than {} attributes", name, kMostKeyAttributes));
  }
  return key;
}

Index ReadIndex(Problems& problems, const Node::Key& name, const Node& node, const Table& table) {
  const Fields fields(problems, node, kIndexFields);
  Index index{.name = name.text, .place = name.place};
  index.local = fields.Flag("local");
  index.partition = ReadIndexKey(fields, "pk");
  index.sort = ReadIndexKey(fields, "sk");
  // A local index has the table's partition key.
  if (index.partition.empty() && index.local && table.partition) {
    index.partition.push_back(*table.partition);
  }
  if (index.partition.empty() && node.IsMap() && !fields.Has("pk")) {
    problems.Add(name.place, fmt::format("index `{}` lacks `pk`", name.text));
  }
  if (const Node* project = fields.Find("project")) {
    index.projection = ReadProjection(problems, *project);
  }
  if (const Node* elsewhere = fields.Find("elsewhere");
      elsewhere != nullptr && CheckMap(problems, *elsewhere, "elsewhere")) {
    for (std::size_t i = 0; i < elsewhere->items.size(); ++i) {
      index.elsewhere.emplace_back(elsewhere->keys[i].text,
                                   ReadProjection(problems, elsewhere->items[i]));
    }
  }
  index.overloaded = fields.Flag("overloaded");
  if (const Node* sparse = fields.Find("sparse");
      sparse != nullptr && !(sparse->IsText() && ReadFlag(sparse->text) == false)) {
    index.sparse = ReadSparse(problems, *sparse);
  }
  if (const Node* shards = fields.Find("shards")) index.shards = ReadShards(problems, *shards);
  if (const Node* capacity = fields.Find("capacity")) {
    index.capacity = ReadCapacity(problems, *capacity);
  }
  return index;
}

void ReadIndexes(Problems& problems, const Node& node, Table& table) {
  if (!CheckMap(problems, node, "indexes")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    table.indexes.push_back(ReadIndex(problems, node.keys[i], node.items[i], table));
  }
}

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
