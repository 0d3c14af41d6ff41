#include "model/parse/sections.h"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "model/parse/fields.h"
#include "model/parse/quantity_text.h"

namespace stator::model {
namespace {

// In the order of the file: a rate may name those above it.
void ReadRates(Problems& problems, const Node& node, Assumptions& assume) {
  ForEachText(problems, node, "rates", "a rate", [&](const Node::Key& name, const Node& value) {
    const auto rate = ReadRate(value.text, assume);
    if (!rate) problems.Add(value.place, rate.error());
    assume.rates.emplace(name.text, rate.value_or(Rate{}));
  });
}

constexpr int kMostNestedTypes = 32;

// Reads each type after the types that it is made of.
class TypeSorter {
 public:
  TypeSorter(Reading& reading, const Node& node) : reading_(reading), node_(node) {}

  void Visit(std::size_t i, int depth) {
    const std::string& name = node_.keys[i].text;
    const Node& value = node_.items[i];
    if (reading_.types.contains(name)) return;
    if (TypeOfWord(name) || name == "counter" || name == "counters") {
      reading_.problems.Add(node_.keys[i].place, fmt::format("`{}` is a type already", name));
      return;
    }
    if (!value.IsText()) {
      reading_.problems.AddWrongKind(value, name, "the text of an attribute");
      return;
    }
    if (!open_.insert(name).second || depth > kMostNestedTypes) {
      reading_.problems.Add(value.place, fmt::format("type `{}` is made of itself", name));
      reading_.types.emplace(name, Attribute{});
      return;
    }
    const std::string_view first = TypeWord(value.text);
    for (std::size_t j = 0; j < node_.keys.size(); ++j) {
      if (node_.keys[j].text == first) Visit(j, depth + 1);
    }
    auto attribute = ReadAttribute(value.text, reading_.types);
    if (!attribute) reading_.problems.Add(value.place, attribute.error());
    reading_.types.emplace(name, std::move(attribute).value_or(Attribute{}));
  }

 private:
  Reading& reading_;
  const Node& node_;
  std::set<std::string> open_;
};

void ReadGrant(Reading& reading, const Node::Key& who, const Node& node) {
  const Fields fields(reading.problems, node, kGrantFields);
  Grant grant{.who = who.text, .place = node.place};
  grant.table = fields.RequiredText("table");
  grant.actions = fields.Names("actions");
  grant.indexes = fields.Names("indexes");
  grant.patterns = fields.Names("patterns");
  reading.model.grants.push_back(std::move(grant));
}

bool IsRuleName(std::string_view name) {
  const auto letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  return name.size() == 4 && letter(name[0]) && letter(name[1]) && IsDigit(name[2]) &&
         IsDigit(name[3]);
}

}  // namespace

void ReadAssume(Reading& reading, const Node& node) {
  const Fields fields(reading.problems, node, kAssumeFields);
  Assumptions& assume = reading.model.assume;
  assume.place = node.place;
  if (fields.Has("region")) assume.region = fields.Text("region");
  assume.price_list = fields.Text("price_list");
  if (const auto month = fields.Duration("month"); month && month->count() > 0) {
    assume.month = *month;
  }
  assume.peak = fields.Parse("peak", ReadFactor).value_or(1);
  if (fields.Has("time_zone")) assume.time_zone = fields.Text("time_zone");
  assume.environments = fields.Names("env");
  if (const Node* rates = fields.Find("rates")) ReadRates(reading.problems, *rates, assume);
}

void ReadTypes(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "types")) return;
  TypeSorter sorter(reading, node);
  for (std::size_t i = 0; i < node.keys.size(); ++i) sorter.Visit(i, 0);
}

void ReadGrants(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "grants")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsList()) {
      ReadGrant(reading, node.keys[i], value);
      continue;
    }
    for (const Node& item : value.items) ReadGrant(reading, node.keys[i], item);
  }
}

void ReadSnippets(Reading& reading, const Node& node) {
  if (!CheckList(reading.problems, node, "infrastructure")) return;
  for (const Node& item : node.items) {
    const Fields fields(reading.problems, item, kSnippetFields);
    Snippet snippet{.language = "hcl", .text = fields.RequiredText("hcl")};
    snippet.place = fields.PlaceOf("hcl");
    reading.model.snippets.push_back(std::move(snippet));
  }
}

void ReadClaims(Reading& reading, const Node& node) {
  if (!CheckList(reading.problems, node, "claims")) return;
  for (const Node& item : node.items) {
    const Fields fields(reading.problems, item, kClaimFields);
    Claim claim{.says = fields.RequiredText("says"), .check = fields.RequiredText("check")};
    claim.about = fields.Text("about");
    claim.source = fields.Text("source");
    claim.place = item.place;
    reading.model.claims.push_back(std::move(claim));
  }
}

void ReadAcceptances(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "accept")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node::Key& key = node.keys[i];
    const std::size_t at = key.text.find('@');
    Acceptance acceptance{.rule = key.text.substr(0, at), .place = key.place};
    if (at != std::string::npos) acceptance.target = key.text.substr(at + 1);
    acceptance.reason = Trim(node.items[i].text);
    if (!IsRuleName(acceptance.rule)) {
      reading.problems.Add(key.place, fmt::format("`{}` is not a rule", acceptance.rule),
                           "IX04@jobs.StatusIndex: the reason");
    }
    if (acceptance.reason.empty()) {
      reading.problems.Add(key.place, fmt::format("`{}` is accepted without a reason", key.text));
    }
    reading.model.accepted.push_back(std::move(acceptance));
  }
}

}  // namespace stator::model
