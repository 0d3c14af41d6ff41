// grants, infrastructure, claims and accept.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "model/parse/fields.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

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
  if (!node.IsList()) {
    reading.problems.AddWrongKind(node, "infrastructure", "a list");
    return;
  }
  for (const Node& item : node.items) {
    const Fields fields(reading.problems, item, kSnippetFields);
    Snippet snippet{.language = "hcl", .text = fields.RequiredText("hcl")};
    snippet.place = fields.PlaceOf("hcl");
    reading.model.snippets.push_back(std::move(snippet));
  }
}

void ReadClaims(Reading& reading, const Node& node) {
  if (!node.IsList()) {
    reading.problems.AddWrongKind(node, "claims", "a list");
    return;
  }
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
