#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

#include "model/parse/amount_text.h"
#include "model/parse/fields.h"
#include "model/parse/key_template_text.h"
#include "model/parse/machine_section.h"
#include "model/parse/rate_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

void ReadKeyTemplates(Problems& problems, const Node& node, Entity& entity) {
  if (!CheckMap(problems, node, "keys")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsText()) {
      problems.AddWrongKind(value, node.keys[i].text, "a key template");
      continue;
    }
    auto key = ReadKeyTemplate(value.text);
    if (!key) {
      problems.Add(value.place, key.error());
      continue;
    }
    key->attribute = node.keys[i].text;
    key->place = value.place;
    entity.keys.push_back(*std::move(key));
  }
}

void ReadAttributes(Reading& reading, const Node& node, Entity& entity) {
  if (!CheckMap(reading.problems, node, "attrs")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsText()) {
      reading.problems.AddWrongKind(value, node.keys[i].text, "the text of an attribute");
      continue;
    }
    auto attribute = ReadAttribute(value.text, reading.types);
    if (!attribute) reading.problems.Add(value.place, attribute.error());
    Attribute known = std::move(attribute).value_or(Attribute{});
    known.name = node.keys[i].text;
    known.place = node.keys[i].place;
    entity.attributes.push_back(std::move(known));
  }
}

Volume ReadVolume(const Reading& reading, const Node& node) {
  const Fields fields(reading.problems, node, kVolumeFields);
  const auto rate = [&](std::string_view text) { return ReadRate(text, reading.model.assume); };
  Volume volume{.place = node.place};
  volume.create = fields.Parse("create", rate);
  volume.update = fields.Parse("update", rate);
  volume.remove = fields.Parse("remove", rate);
  volume.total = fields.AmountOf("total");
  const Node* per = fields.Find("per");
  if (per == nullptr || !CheckMap(reading.problems, *per, "per")) return volume;
  for (std::size_t i = 0; i < per->items.size(); ++i) {
    std::vector<std::string> attributes;
    for (const std::string_view name : SplitText(per->keys[i].text, '+')) {
      attributes.emplace_back(name);
    }
    const Node& value = per->items[i];
    if (!value.IsText()) {
      reading.problems.AddWrongKind(value, "per", "an amount");
      continue;
    }
    const auto amount = ReadAmount(value.text);
    if (!amount) reading.problems.Add(value.place, amount.error());
    volume.per.emplace_back(std::move(attributes), amount.value_or(Amount{}));
  }
  return volume;
}

// [callId] is one constraint on callId; [[tenant, email]] is one on the pair.
std::vector<std::vector<std::string>> ReadUnique(Problems& problems, const Node& node) {
  std::vector<std::vector<std::string>> unique;
  if (!node.IsList()) {
    for (std::string& name : ReadNameList(problems, node, "unique")) unique.push_back({name});
    return unique;
  }
  for (const Node& item : node.items) unique.push_back(ReadNameList(problems, item, "unique"));
  return unique;
}

Entity ReadEntity(Reading& reading, const Node::Key& name, const Node& node) {
  Problems& problems = reading.problems;
  const Fields fields(problems, node, kEntityFields);
  Entity entity{.name = name.text, .place = name.place};
  if (name.text.find('.') != std::string::npos) {
    problems.Add(name.place, fmt::format("the name of an entity has no dot: `{}`", name.text));
  }
  entity.table = fields.RequiredText("table");
  if (const Node* keys = fields.Find("keys")) ReadKeyTemplates(problems, *keys, entity);
  if (const Node* attrs = fields.Find("attrs")) ReadAttributes(reading, *attrs, entity);
  entity.item_bytes = fields.AmountOf("size");
  if (const Node* volume = fields.Find("volume")) entity.volume = ReadVolume(reading, *volume);
  if (const Node* unique = fields.Find("unique")) entity.unique = ReadUnique(problems, *unique);
  entity.version = fields.Text("version");
  entity.rekey = fields.Names("rekey");
  entity.ttl = fields.Text("ttl");
  entity.audit = fields.Duration("audit");
  if (const Node* machine = fields.Find("machine")) {
    entity.machine = ReadMachine(problems, *machine);
  }
  return entity;
}

}  // namespace

void ReadEntities(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "entities")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    reading.model.entities.push_back(ReadEntity(reading, node.keys[i], node.items[i]));
  }
}

}  // namespace stator::model
