// TypeScript with ElectroDB: an entity for each of the model's, with the same keys.
#include <fmt/format.h>

#include <algorithm>

#include "generate/code_plan.h"
#include "generate/electrodb_attributes.h"
#include "generate/electrodb_keys.h"
#include "generate/generate.h"
#include "generate/table_shape.h"
#include "generate/typescript.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::model {
namespace {

constexpr std::string_view kElectroRuntime = "typescript_electrodb.ts";

// One entity: its attributes by the names that ElectroDB has for them, and its keys.
class ElectroEntity {
 public:
  explicit ElectroEntity(const EntityNames& names)
      : names_(names), entity_(*names.entity), table_(*names.table), keys_(names) {}

  std::string Obstacle() const { return keys_.Obstacle(); }

  void Write(const std::string& maker, Lines& out) const {
    out.Open(fmt::format("export function {}(db: Connection) {{", maker));
    out.Open("return new Entity(");
    out.Open("{");
    out.Add(fmt::format("model: {{ entity: {}, service: {}, version: \"1\" }},",
                        JsonText(entity_.name), JsonText(table_.name)));
    out.Open("attributes: {");
    for (const Attribute* attribute : names_.attributes) WriteAttribute(*attribute, out);
    for (const Index& index : table_.indexes) {
      if (keys_.ShardName(index) != nullptr && keys_.IndexObstacle(index).empty()) {
        WriteShard(index, *keys_.ShardName(index), out);
      }
    }
    for (const auto& [key, name] : keys_.computed())
      WriteComputed(*entity_.FindKey(key), name, out);
    out.Close("},");
    out.Open("indexes: {");
    out.Open("primary: {");
    WriteKeys(nullptr, out);
    out.Close("},");
    NameSet taken({"primary"});
    for (const Index& index : table_.indexes) WriteIndex(index, taken, out);
    out.Close("},");
    out.Close("},");
    out.Add(fmt::format("{{ client: db.client, table: (db.tablePrefix ?? \"\") + {} }},",
                        JsonText(table_.name)));
    out.Close(");");
    out.Close("}");
  }

  void WriteCreate(const std::string& create, const std::string& maker, Lines& out) const {
    out.Blank();
    out.Add(TsComment(entity_.unique.empty() ? "A new " + entity_.name
                                             : "A new " + entity_.name +
                                                   ", and the items that keep its values unique"));
    out.Open(
        fmt::format("export async function {}(db: Connection, given: "
                    "CreateEntityItem<ReturnType<typeof {}>>): Promise<void> {{",
                    create, maker));
    if (entity_.unique.empty()) {
      out.Add(fmt::format("await {}(db).create(given).go();", maker));
      out.Close("}");
      return;
    }
    WriteSentinel(out);
    out.Add(fmt::format("const item = {}(db);", maker));
    out.Add("const { Item } = item.create(given).params<{ Item: Record<string, unknown> }>();");
    std::vector<std::string> unique;
    for (const auto& names : entity_.unique) unique.push_back(ListText(names, JsonText));
    out.Add(fmt::format("const texts = sentinelTexts({}, [{}], Item);", JsonText(entity_.name),
                        fmt::join(unique, ", ")));
    std::string keys = "PK: text";
    if (table_.sort) keys += ", SK: text";
    if (!entity_.ttl.empty())
      keys += fmt::format(", ttl: Item[{}] as number", JsonText(entity_.ttl));
    out.Open("const done = await createWriteTransaction({ item, sentinel }, (writes) => [");
    out.Add("writes.item.create(given).commit(),");
    out.Add(
        fmt::format("...texts.map((text) => writes.sentinel.create({{ {} }}).commit()),", keys));
    out.Close("]).go();");
    out.Add(
        fmt::format("if (done.canceled) throw new Error(\"this {} exists already, or another has a "
                    "unique value of it\");",
                    CommentText(entity_.name)));
    out.Close("}");
  }

 private:
  void WriteAttribute(const Attribute& attribute, Lines& out) const {
    std::string text = ElectroType(attribute);
    const std::string& name = keys_.NameOf(attribute.name);
    if (name != attribute.name) text += ", field: " + JsonText(attribute.name);
    if (IsRequired(entity_, attribute)) text += ", required: true";
    if (const int digits = keys_.PaddingOf(attribute.name); digits > 0) {
      text += fmt::format(", padding: {{ length: {}, char: \"0\" }}", digits);
    }
    if (const std::string value = ElectroDefault(entity_, attribute); !value.empty())
      text += ", default: " + value;
    if (attribute.type == Type::kS && !attribute.normalizers.empty()) {
      text += fmt::format(
          ", set: (value?: string) => (value === undefined ? undefined : normalized({}, value))",
          ListText(attribute.normalizers, JsonText));
    }
    if (attribute.type == Type::kS && !attribute.forbidden.empty() && attribute.values.empty()) {
      text += fmt::format(", validate: (value: string | undefined) => isAllowed(value, {})",
                          JsonText(attribute.forbidden));
    } else if (attribute.type == Type::kN && attribute.range) {
      text += fmt::format(", validate: (value: number | undefined) => isWithin(value, {}, {})",
                          attribute.range->first, attribute.range->second);
    }
    out.Add(fmt::format("{}: {{ {} }},", name, text));
  }

  void WriteShard(const Index& index, const std::string& name, Lines& out) const {
    const std::string field = JsonText("__shard_" + index.name);
    const std::string& by = index.shards->by;
    if (keys_.NameOf(by).empty()) {
      out.Add(
          fmt::format("{}: {{ type: \"number\", field: {}, hidden: true, "
                      "default: () => Math.floor((db.random ?? Math.random)() * {}) }},",
                      name, field, index.shards->count));
      return;
    }
    // An update names the shard itself; a new item without the attribute has none, and so no key.
    const std::string value = fmt::format("item[{}]", JsonText(keys_.NameOf(by)));
    out.Add(
        fmt::format("{}: {{ type: \"number\", field: {}, hidden: true, watch: [{}], "
                    "set: (shard, item) => ({} === undefined ? shard : shardOf({}, {})) }},",
                    name, field, JsonText(keys_.NameOf(by)), value, value, index.shards->count));
  }

  void WriteComputed(const KeyTemplate& key, const std::string& name, Lines& out) const {
    const Index* index = IndexOfKey(table_, key);
    std::vector<std::string> watched;
    for (const std::string& source : DependenciesOf(table_, key)) {
      if (!keys_.NameOf(source).empty()) AddOnce(watched, keys_.NameOf(source));
    }
    std::vector<std::string> parts;
    for (const TemplatePart& part : key.parts) {
      if (!part.is_placeholder) {
        parts.push_back(JsonText(part.text));
        continue;
      }
      const bool is_shard = part.text == kShard && index != nullptr && index->shards;
      const std::string& source = keys_.NameOf(is_shard ? index->shards->by : part.text);
      const std::string value = fmt::format("item[{}]", JsonText(source));
      parts.push_back(is_shard
                          ? fmt::format("String(shardOf({}, {}))", value, index->shards->count)
                          : fmt::format("{{ of: {}, digits: {} }}", value, part.padded_digits));
    }
    const std::string condition = index == nullptr ? "" : keys_.Condition(*index);
    out.Add(fmt::format(
        "{}: {{ type: \"string\", field: {}, hidden: true, watch: {}, "
        "set: (_, item) => {}keyText([{}]) }},",
        name, JsonText(key.attribute), ListText(watched, JsonText),
        condition.empty() ? "" : "!(" + condition + ") ? undefined : ", fmt::join(parts, ", ")));
  }

  void WriteKeys(const Index* index, Lines& out) const {
    const auto schema = index == nullptr ? KeySchemaOf(table_) : KeySchemaOf(table_, *index);
    for (const KeyElement& element : schema) {
      out.Add(fmt::format("{}: {},", element.sorts ? "sk" : "pk",
                          keys_.Key(element.attribute, index)->code));
    }
  }

  void WriteIndex(const Index& index, NameSet& taken, Lines& out) const {
    if (!Holds(SchemaOf(table_, index), entity_)) return;
    const std::string name = taken.Add(CamelName(index.name));
    if (const std::string obstacle = keys_.IndexObstacle(index); !obstacle.empty()) {
      out.Add("// " + CommentText(index.name + " has no queries in ElectroDB: " + obstacle));
      return;
    }
    out.Open(fmt::format("{}: {{", name));
    out.Add(fmt::format("index: {},", JsonText(index.name)));
    if (HasSeveralAttributes(index)) {
      out.Add("type: \"composite\",");
      for (const bool sorts : {false, true}) {
        std::vector<std::string> composite;
        for (const KeyElement& element : KeySchemaOf(table_, index)) {
          if (element.sorts == sorts) composite.push_back(keys_.NameOf(element.attribute.name));
        }
        if (composite.empty()) continue;
        out.Add(fmt::format("{}: {{ composite: {} }},", sorts ? "sk" : "pk",
                            ListText(composite, JsonText)));
      }
    } else {
      if (const std::string condition = keys_.Condition(index); !condition.empty()) {
        out.Add(fmt::format("condition: (item) => {},", condition));
      }
      WriteKeys(&index, out);
    }
    out.Close("},");
  }

  void WriteSentinel(Lines& out) const {
    const std::string& pk = table_.partition->name;
    out.Open("const sentinel = new Entity(");
    out.Open("{");
    out.Add(fmt::format("model: {{ entity: {}, service: {}, version: \"1\" }},",
                        JsonText("unique " + entity_.name), JsonText(table_.name)));
    std::string attributes = fmt::format("PK: {{ type: \"string\", field: {} }}", JsonText(pk));
    if (table_.sort) {
      attributes +=
          fmt::format(", SK: {{ type: \"string\", field: {} }}", JsonText(table_.sort->name));
    }
    if (!entity_.ttl.empty()) {
      attributes += fmt::format(", ttl: {{ type: \"number\", field: {} }}", JsonText(entity_.ttl));
    }
    out.Add(fmt::format("attributes: {{ {} }},", attributes));
    out.Open("indexes: {");
    out.Open("primary: {");
    out.Add(fmt::format("pk: {},", ElectroKeys::Code(*table_.partition, {"PK"}, "${PK}")));
    if (table_.sort)
      out.Add(fmt::format("sk: {},", ElectroKeys::Code(*table_.sort, {"SK"}, "${SK}")));
    out.Close("},");
    out.Close("},");
    out.Close("},");
    out.Add(fmt::format("{{ client: db.client, table: (db.tablePrefix ?? \"\") + {} }},",
                        JsonText(table_.name)));
    out.Close(");");
  }

  const EntityNames& names_;
  const Entity& entity_;
  const Table& table_;
  ElectroKeys keys_;
};

LanguageNaming ElectroNaming() {
  LanguageNaming naming{.variable = CamelName,
                        .description_suffix = "Maker",
                        .write_suffix = "Write",
                        .reserved = TypeScriptReserved(),
                        .taken = TypeScriptGlobals(),
                        .locals = {}};
  naming.taken.insert({"Entity", "CreateEntityItem", "createWriteTransaction", "ReturnType"});
  for (const std::string& name : DefinedNames(
           RuntimeText(kElectroRuntime), {"export function ", "export interface ", "function "})) {
    naming.taken.insert(name);
  }
  return naming;
}

}  // namespace

std::string GenerateElectroDb(const Model& model) {
  const LanguageNaming naming = ElectroNaming();
  const CodeNames names(model, naming);
  NameSet functions(naming.taken);
  Lines code;
  Lines table;  // of the functions
  bool has_entities = false;
  bool has_unique = false;
  for (const EntityNames& of : names.entities()) {
    code.Blank();
    const ElectroEntity entity(of);
    if (const std::string obstacle = entity.Obstacle(); !obstacle.empty()) {
      code.Add("// " + CommentText(of.entity->name + " has no entity: " + obstacle));
      continue;
    }
    has_entities = true;
    has_unique |= !of.entity->unique.empty();
    const std::string maker = functions.Add("make" + of.type);
    const std::string create = functions.Add("create" + of.type);
    entity.Write(maker, code);
    entity.WriteCreate(create, maker, code);
    table.Add(
        fmt::format("  {}: {{ make: {}, create: {} }},", JsonText(of.entity->name), maker, create));
  }
  Lines out;
  out.Add(
      "// Made by `stator generate typescript --style electrodb`: change the model, not this "
      "file.");
  if (!model.title.empty()) out.Add("// " + CommentText(model.title));
  out.Add("import type { DynamoDBClient } from \"@aws-sdk/client-dynamodb\";");
  if (has_entities) {
    out.Add(fmt::format("import {{ {}Entity, type CreateEntityItem }} from \"electrodb\";",
                        has_unique ? "createWriteTransaction, " : ""));
  }
  out.Raw(code.Take());
  out.Blank();
  out.Add("/** How each entity is made and created, by its name. */");
  out.Add("export const entities = {");
  out.Raw(table.Take());
  out.Add("};");
  out.Blank();
  out.Raw(RuntimeText(kElectroRuntime));
  return out.Take();
}

}  // namespace stator::model
