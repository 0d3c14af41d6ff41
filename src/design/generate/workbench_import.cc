// A data model of NoSQL Workbench → a model file.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/text.h"
#include "value/json.h"

namespace stator::model {
namespace {

// Reads members of the file. The first mistake is kept; after it, what is read may be empty but does no harm.
class Reader {
 public:
  std::string Text(const JsonValue& object, std::string_view name, bool required = true) {
    const std::optional<JsonValue> member = Member(object, name, JsonKind::kString, required);
    return member ? std::string(member->string()) : "";
  }
  std::vector<JsonValue> Array(const JsonValue& object, std::string_view name,
                               bool required = false) {
    const std::optional<JsonValue> member = Member(object, name, JsonKind::kArray, required);
    return member ? member->Elements() : std::vector<JsonValue>();
  }
  std::optional<JsonValue> Object(const JsonValue& object, std::string_view name,
                                  bool required = true) {
    return Member(object, name, JsonKind::kObject, required);
  }
  void Fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
  }
  const std::string& problem() const { return problem_; }

 private:
  std::optional<JsonValue> Member(const JsonValue& object, std::string_view name, JsonKind kind,
                                  bool required) {
    if (object.kind() != JsonKind::kObject) {
      Fail(fmt::format("`{}` is looked for in something that is not an object", name));
      return std::nullopt;
    }
    const std::optional<JsonValue> member = object.Member(name);
    if (!member) {
      if (required) Fail(fmt::format("`{}` is missing", name));
      return std::nullopt;
    }
    if (member->kind() == kind) return member;
    Fail(fmt::format("`{}` is not of the right type", name));
    return std::nullopt;
  }

  std::string problem_;
};

std::optional<std::string_view> TypeWord(std::string_view type) {
  static const std::map<std::string_view, std::string_view> kWords = {
      {"S", "str"},     {"N", "num"},
      {"B", "bin"},     {"BOOL", "bool"},
      {"M", "map"},     {"L", "list"},
      {"SS", "strset"}, {"NS", "numset"},
      {"BS", "binset"}, {"NULL", "str nullable"}};
  const auto it = kWords.find(type);
  if (it == kWords.end()) return std::nullopt;
  return it->second;
}

// An attribute's name must survive "name type, name type".
bool IsPlainName(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || std::string_view(",[]{}:\"'").contains(c);
  });
}

struct NamedType {
  std::string name;
  std::string type;
};

struct Keys {
  NamedType partition;
  std::optional<NamedType> sort;
};

NamedType ReadAttribute(const JsonValue& object, Reader& reader) {
  NamedType out{reader.Text(object, "AttributeName"), reader.Text(object, "AttributeType")};
  if (reader.problem().empty() && !TypeWord(out.type)) {
    reader.Fail(fmt::format("attribute `{}` has an unknown type `{}`", out.name, out.type));
  }
  return out;
}

NamedType ReadKeyAttribute(const JsonValue& object, Reader& reader) {
  NamedType out = ReadAttribute(object, reader);
  if (reader.problem().empty() && !IsPlainName(out.name)) {
    reader.Fail(fmt::format("a model cannot name the key attribute {}", JsonText(out.name)));
  }
  return out;
}

Keys ReadKeys(const JsonValue& table, Reader& reader) {
  Keys keys;
  const std::optional<JsonValue> attributes = reader.Object(table, "KeyAttributes");
  if (!attributes) return keys;
  if (const auto key = reader.Object(*attributes, "PartitionKey")) {
    keys.partition = ReadKeyAttribute(*key, reader);
  }
  if (const auto key = reader.Object(*attributes, "SortKey", false)) {
    keys.sort = ReadKeyAttribute(*key, reader);
  }
  return keys;
}

std::string KeyWords(const NamedType& key) {
  return fmt::format("{} {}", key.name, TypeWord(key.type).value_or("str"));
}

std::string ReadProjection(const JsonValue& index, Reader& reader) {
  const std::optional<JsonValue> projection = reader.Object(index, "Projection", false);
  if (!projection) return "all";
  const std::string type = reader.Text(*projection, "ProjectionType");
  if (type == "KEYS_ONLY") return "keys";
  if (type != "INCLUDE") return "all";
  std::vector<std::string> names;
  for (const JsonValue& name : reader.Array(*projection, "NonKeyAttributes")) {
    if (name.kind() == JsonKind::kString) names.emplace_back(name.string());
  }
  return ListText(names, YamlText);
}

void WriteIndexes(const JsonValue& table, Reader& reader, std::set<std::string>& keys, Lines& out) {
  bool first = true;
  for (const bool local : {false, true}) {
    for (const JsonValue& index :
         reader.Array(table, local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes")) {
      const std::string name = reader.Text(index, "IndexName");
      const Keys index_keys = ReadKeys(index, reader);
      if (!reader.problem().empty()) return;
      if (first) out.Open("indexes:");
      first = false;
      out.Open(YamlText(name) + ":");
      out.Add("pk: " + KeyWords(index_keys.partition));
      keys.insert(index_keys.partition.name);
      if (index_keys.sort) {
        out.Add("sk: " + KeyWords(*index_keys.sort));
        keys.insert(index_keys.sort->name);
      }
      if (local) out.Add("local: true");
      out.Add("project: " + ReadProjection(index, reader));
      out.Leave();
    }
  }
  if (!first) out.Leave();
}

void WriteBilling(const JsonValue& table, Reader& reader, Lines& out) {
  if (reader.Text(table, "BillingMode", false) != "PROVISIONED") return;
  const auto settings = reader.Object(table, "ProvisionedCapacitySettings", false);
  const auto throughput =
      settings ? reader.Object(*settings, "ProvisionedThroughput", false) : std::nullopt;
  const auto units = [&](std::string_view name) -> std::int64_t {
    const auto member = throughput ? throughput->Member(name) : std::nullopt;
    const bool number =
        member && (member->kind() == JsonKind::kInteger || member->kind() == JsonKind::kDecimal);
    return number ? member->integer() : 5;
  };
  out.Add(fmt::format("billing: {{read: {}, write: {}}}", units("ReadCapacityUnits"),
                      units("WriteCapacityUnits")));
}

// "ALIAS#<chatId>" → "ALIAS#{chatId}"; a bare name is the attribute itself.
std::string TemplateOf(std::string_view alias) {
  std::string out;
  for (const char c : alias) {
    if (c == '{' || c == '}') {
      out.append(2, c);
    } else {
      out += c == '<' ? '{' : c == '>' ? '}' : c;
    }
  }
  const bool has_placeholder = alias.find('<') != std::string_view::npos;
  const bool balanced = std::ranges::count(alias, '<') == std::ranges::count(alias, '>') &&
                        alias.find("<>") == std::string_view::npos;
  if (has_placeholder && balanced) return out;
  const bool bare = IsPlainName(alias) && alias.find('#') == std::string_view::npos;
  return bare ? "{" + std::string(alias) + "}" : "";
}

class Importer {
 public:
  std::expected<std::string, std::string> Run(const JsonValue& root) {
    WriteHeader(root);
    const std::vector<JsonValue> tables = reader_.Array(root, "DataModel", true);
    tables_.Open("tables:");
    entities_.Open("entities:");
    for (const JsonValue& table : tables) {
      AddTable(table);
      if (!reader_.problem().empty()) return std::unexpected(reader_.problem());
    }
    if (!reader_.problem().empty()) return std::unexpected(reader_.problem());
    if (tables.empty()) return std::unexpected("the file has no table");
    header_.Raw(tables_.Take() + "\n" + entities_.Take());
    header_.Blank();
    header_.Add("# Write down every read and write of the application here: docs/model.md.");
    header_.Add("patterns: {}");
    return header_.Take();
  }

 private:
  void WriteHeader(const JsonValue& root) {
    header_.Add("# Imported from NoSQL Workbench. It knows no access patterns, sizes or rates.");
    header_.Add("model: 1");
    const std::string name = reader_.Text(root, "ModelName", false);
    if (!name.empty()) header_.Add("title: " + JsonText(name));
    header_.Blank();
  }

  void AddTable(const JsonValue& table) {
    const std::string name = reader_.Text(table, "TableName");
    const Keys keys = ReadKeys(table, reader_);
    if (!reader_.problem().empty()) return;
    const std::string id = table_ids_.Add(SnakeName(name));
    tables_.Open(id + ":");
    if (id != name) tables_.Add("name: " + YamlText(name));
    tables_.Add("key: " + KeyWords(keys.partition) +
                (keys.sort ? ", " + KeyWords(*keys.sort) : ""));
    WriteBilling(table, reader_, tables_);
    std::set<std::string> index_keys;
    WriteIndexes(table, reader_, index_keys, tables_);
    tables_.Leave();
    AddEntities(table, id, keys, index_keys);
  }

  void AddEntities(const JsonValue& table, const std::string& id, const Keys& keys,
                   const std::set<std::string>& index_keys) {
    std::vector<NamedType> attributes;
    for (const JsonValue& attribute : reader_.Array(table, "NonKeyAttributes")) {
      attributes.push_back(ReadAttribute(attribute, reader_));
    }
    const std::vector<JsonValue> facets = reader_.Array(table, "TableFacets");
    if (!reader_.problem().empty()) return;
    if (facets.empty()) WriteEntity(PascalName(id), id, {}, attributes, index_keys);
    for (const JsonValue& facet : facets) {
      std::vector<std::pair<std::string, std::string>> templates;
      if (const auto alias = reader_.Object(facet, "KeyAttributeAlias", false)) {
        templates.emplace_back(keys.partition.name,
                               TemplateOf(reader_.Text(*alias, "PartitionKeyAlias", false)));
        if (keys.sort) {
          templates.emplace_back(keys.sort->name,
                                 TemplateOf(reader_.Text(*alias, "SortKeyAlias", false)));
        }
      }
      std::set<std::string_view> names;
      for (const JsonValue& name : reader_.Array(facet, "NonKeyAttributes")) {
        if (name.kind() == JsonKind::kString) names.insert(name.string());
      }
      std::vector<NamedType> own;
      for (const NamedType& attribute : attributes) {
        if (names.contains(attribute.name)) own.push_back(attribute);
      }
      WriteEntity(PascalName(reader_.Text(facet, "FacetName")), id, templates, own, index_keys);
    }
  }

  void WriteEntity(const std::string& name, const std::string& table,
                   const std::vector<std::pair<std::string, std::string>>& templates,
                   const std::vector<NamedType>& attributes,
                   const std::set<std::string>& index_keys) {
    entities_.Open(entity_names_.Add(name) + ":");
    entities_.Add("table: " + table);
    std::string keys;
    for (const auto& [attribute, text] : templates) {
      if (text.empty() || text == "{" + attribute + "}") continue;
      keys +=
          fmt::format("{}{}: {}", keys.empty() ? "" : ", ", YamlText(attribute), JsonText(text));
    }
    if (!keys.empty()) entities_.Add("keys: {" + keys + "}");
    if (!attributes.empty()) entities_.Open("attrs:");
    for (const NamedType& attribute : attributes) {
      // Workbench does not say which items enter an index, so all may be missing there; what the
      // table's own key is made from is not.
      const bool in_key = std::ranges::any_of(templates, [&](const auto& one) {
        return one.second.find("{" + attribute.name + "}") != std::string::npos ||
               one.second.find("{" + attribute.name + ":") != std::string::npos;
      });
      const bool optional = index_keys.contains(attribute.name) && !in_key;
      entities_.Add(fmt::format("{}: {}{}", YamlText(attribute.name),
                                TypeWord(attribute.type).value_or("str"), optional ? " opt" : ""));
    }
    if (!attributes.empty()) entities_.Leave();
    entities_.Leave();
  }

  Reader reader_;
  Lines header_;
  Lines tables_;
  Lines entities_;
  NameSet table_ids_;
  NameSet entity_names_;
};

}  // namespace

std::expected<std::string, std::string> ImportWorkbench(std::string_view json) {
  if (json.size() > kMaxWorkbenchBytes) return std::unexpected("the file is too large");
  JsonDocument document;
  if (!document.Parse(json)) return std::unexpected("the file is not JSON");
  return Importer().Run(document.root());
}

}  // namespace stator::model
