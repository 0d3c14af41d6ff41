#include "model/parse/indexes_section.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "model/parse/amount_text.h"
#include "model/parse/attribute_text.h"
#include "model/parse/fields.h"

namespace stator::model {
namespace {

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
    // `sparse: true` says that only the items which have the keys are there.
    if (!ReadFlag(node.text).value_or(false)) sparse.when = ReadPredicateNode(problems, node);
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

}  // namespace

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

void ReadIndexes(Problems& problems, const Node& node, Table& table) {
  if (!CheckMap(problems, node, "indexes")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    table.indexes.push_back(ReadIndex(problems, node.keys[i], node.items[i], table));
  }
}

}  // namespace stator::model
