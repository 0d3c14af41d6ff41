// A C++ header: one struct per entity, and one function per pattern over the entity layer.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "generate/cpp_entity.h"
#include "generate/generate.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

// systems/homeops/model.yaml and homeops.yaml are both "homeops".
std::string NamespaceOf(const Model& model) {
  const std::filesystem::path path(model.file);
  std::string stem = path.stem().string();
  if (stem == "model") stem = path.parent_path().filename().string();
  if (stem.empty() || stem == "." || stem == "..") stem = model.title;
  if (stem.empty()) stem = "model";
  return CppName(SnakeName(stem));
}

void WriteEnum(const CppEnum& values, Lines& out) {
  out.Blank();
  out.Open(fmt::format("enum class {} : std::uint8_t {{", values.name));
  for (const auto& [constant, text] : values.constants) out.Add(constant + ",");
  out.Close("};");
  out.Open(fmt::format("inline std::string_view ToText({} value) {{", values.name));
  out.Add("switch (value) {");
  for (const auto& [constant, text] : values.constants) {
    out.Add(fmt::format("  case {}::{}: return {};", values.name, constant, CppText(text)));
  }
  out.Add("}");
  out.Add("return {};");
  out.Close("}");
  out.Open(fmt::format("inline bool FromText(std::string_view text, {}& value) {{", values.name));
  out.Add(fmt::format("for (const {} each : {{", values.name));
  for (const auto& [constant, text] : values.constants) {
    out.Add(fmt::format("         {}::{},", values.name, constant));
  }
  out.Add("     }) {");
  out.Open("  if (ToText(each) == text) {");
  out.Add("  value = each;");
  out.Add("  return true;");
  out.Close("  }");
  out.Add("}");
  out.Add("return false;");
  out.Close("}");
}

// A placeholder of a template: the parameter of the builder, and the argument that fills it.
struct Slot {
  std::string name;
  std::string type;
  std::string argument;  // the field's value
};

Slot SlotOf(const CppEntity& entity, const TemplatePart& part) {
  if (part.text == "shard") return {"shard", "std::int64_t", "0"};
  const CppField* field = entity.FindField(part.text);
  if (field == nullptr) return {CppName(SnakeName(part.text)), "std::string_view", "{}"};
  return {field->name, field->ParameterType(), field->RequiredValue()};
}

std::string BuilderName(const std::string& attribute) { return PascalName(attribute) + "Key"; }

bool HasBuilder(const CppEntity& entity, const KeyTemplate& key) {
  if (!IsDerived(*entity.entity, key.attribute)) return false;
  if (entity.table == nullptr) return true;
  for (const KeyAttribute& attribute : AttributeDefinitionsOf(*entity.table)) {
    if (attribute.name == key.attribute) return attribute.type == Type::kS;
  }
  return true;
}

// static std::string SkKey(std::int64_t scheduled_for, std::string_view call_id)
void WriteBuilder(const CppEntity& entity, const KeyTemplate& key, Lines& out) {
  std::vector<std::string> taken;
  std::string parameters;
  std::string text;
  for (const TemplatePart& part : key.parts) {
    if (!text.empty()) text += " + ";
    if (!part.is_placeholder) {
      text += "std::string(" + CppText(part.text) + ")";
      continue;
    }
    const Slot slot = SlotOf(entity, part);
    const bool padded = part.padded_digits > 0 && slot.type == "std::int64_t";
    text += padded ? fmt::format("stator::typed::Text({}, {})", slot.name, part.padded_digits)
                   : fmt::format("stator::typed::Text({})", slot.name);
    if (std::ranges::count(taken, slot.name) > 0) continue;
    taken.push_back(slot.name);
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", slot.type, slot.name);
  }
  out.Add(fmt::format("// {}: {}", CommentText(key.attribute), CommentText(AngleText(key))));
  out.Open(fmt::format("static std::string {}({}) {{", BuilderName(key.attribute), parameters));
  out.Add(fmt::format("return {};", text.empty() ? "{}" : text));
  out.Close("}");
}

std::string BuilderCall(const CppEntity& entity, const KeyTemplate& key) {
  std::vector<std::string> taken;
  std::string arguments;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_placeholder) continue;
    const Slot slot = SlotOf(entity, part);
    if (std::ranges::count(taken, slot.name) > 0) continue;
    taken.push_back(slot.name);
    arguments += (arguments.empty() ? "" : ", ") + slot.argument;
  }
  return fmt::format("{}({})", BuilderName(key.attribute), arguments);
}

// Key(): the primary key. Identity(): the attributes that it is made of.
void WriteKeys(const CppEntity& entity, Lines& out) {
  std::vector<std::string> sources;
  out.Blank();
  out.Add("// The primary key, as GetItem takes it.");
  out.Open("stator::Item Key() const {");
  out.Add("stator::Item key;");
  for (const KeyElement& element : KeySchemaOf(*entity.table)) {
    const std::string& name = element.attribute.name;
    const KeyTemplate* key = entity.entity->FindKey(name);
    std::string value;
    if (key != nullptr && HasBuilder(entity, *key)) {
      value = BuilderCall(entity, *key);
      for (const TemplatePart& part : key->parts) {
        if (part.is_placeholder) sources.push_back(part.text);
      }
    } else {
      const std::string source = key != nullptr && !key->parts.empty() ? key->parts[0].text : name;
      const CppField* field = entity.FindField(source);
      if (field == nullptr) continue;
      value = field->RequiredValue();
      sources.push_back(source);
    }
    out.Add(fmt::format("stator::typed::Put(key, {}, {});", CppText(name), value));
  }
  out.Add("return key;");
  out.Close("}");
  out.Blank();
  out.Add("// The attributes that the primary key is made of.");
  out.Open("stator::Item Identity() const {");
  out.Add("stator::Item item;");
  for (const CppField& field : entity.fields) {
    if (std::ranges::count(sources, field.attribute->name) == 0) continue;
    out.Add(fmt::format("stator::typed::Put(item, {}, {});", CppText(field.attribute->name),
                        field.name));
  }
  out.Add("return item;");
  out.Close("}");
}

void WriteConversions(const CppEntity& entity, Lines& out) {
  out.Blank();
  out.Add("// The attributes. Keys that are made from them are the entity layer's to keep.");
  out.Open("stator::Item ToItem() const {");
  out.Add("stator::Item item;");
  for (const CppField& field : entity.fields) {
    out.Add(fmt::format("stator::typed::Put(item, {}, {});", CppText(field.attribute->name),
                        field.name));
  }
  out.Add("return item;");
  out.Close("}");
  out.Blank();
  out.Open(
      fmt::format("static stator::Result<{}> FromItem(stator::ItemView item) {{", entity.name));
  out.Add(entity.name + " out;");
  out.Add("stator::Result<void> read;");
  for (const CppField& field : entity.fields) {
    out.Add(fmt::format("if (read) read = stator::typed::Take(item, {}, out.{});",
                        CppText(field.attribute->name), field.name));
  }
  out.Add("if (!read) return std::unexpected(read.error());");
  out.Add("return out;");
  out.Close("}");
}

void WriteEntity(const CppEntity& entity, Lines& out) {
  for (const CppEnum& values : entity.enums) WriteEnum(values, out);
  out.Blank();
  out.Open(fmt::format("struct {} {{", entity.name));
  out.Add(
      fmt::format("static constexpr std::string_view kEntity = {};", CppText(entity.entity->name)));
  out.Add(
      fmt::format("static constexpr std::string_view kTable = {};", CppText(entity.table->name)));
  out.Blank();
  for (const CppField& field : entity.fields) {
    out.Add(field.Declaration() + (field.note.empty() ? "" : "  // " + field.note));
  }
  for (const KeyTemplate& key : entity.entity->keys) {
    if (!HasBuilder(entity, key)) continue;
    out.Blank();
    WriteBuilder(entity, key, out);
  }
  WriteKeys(entity, out);
  WriteConversions(entity, out);
  out.Blank();
  out.Add(fmt::format("friend bool operator==(const {0}&, const {0}&) = default;", entity.name));
  out.Close("};");
}

}  // namespace

std::string GenerateCppHeader(const Model& model, const GenerateOptions&) {
  const std::string name = NamespaceOf(model);
  NameSet names({"ToText", "FromText"});
  std::vector<CppEntity> entities;
  for (const Entity& entity : model.entities) {
    if (model.FindTable(entity.table) == nullptr) continue;
    entities.push_back(MakeCppEntity(model, entity, names));
  }
  Lines out;
  out.Add("// Made by `stator generate cpp`: change the model, not this file.");
  if (!model.title.empty()) out.Add("// " + CommentText(model.title));
  out.Add("#pragma once");
  out.Blank();
  for (const std::string_view header :
       {"cstdint", "expected", "optional", "string", "string_view", "vector"}) {
    out.Add(fmt::format("#include <{}>", header));
  }
  out.Blank();
  out.Add("#include \"stator/typed_entity.h\"");
  out.Blank();
  out.Add(fmt::format("namespace {} {{", name));
  for (const CppEntity& entity : entities) WriteEntity(entity, out);
  WriteCppPatterns(model, entities, names, out);
  out.Blank();
  out.Add(fmt::format("}}  // namespace {}", name));
  return out.Take();
}

}  // namespace stator::model
