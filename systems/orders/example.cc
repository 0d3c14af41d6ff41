#include "systems/orders/example.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/orders/money.h"
#include "systems/program/fallible.h"
#include "systems/program/output.h"

namespace stator::systems::orders {
namespace {

std::string Indented(const std::string& lines) {
  std::string out;
  std::size_t from = 0;
  while (from < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    out += "      " + lines.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return out;
}

}  // namespace

std::string CellOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return "-";
  if (name == "amount") return MoneyText(item.view());
  if (value->type() == Type::kN) return value->N();
  return value->type() == Type::kS ? std::string(value->S()) : "-";
}

Narrator::Narrator(Entities& entities, ExampleItems items, std::ostream& out)
    : entities_(entities), items_(std::move(items)), out_(out), told_(entities.used()) {}

const std::vector<Item>& Narrator::ItemsOf(std::string_view entity) const {
  static const std::vector<Item> kNone;
  const auto found = items_.of.find(entity);
  return found == items_.of.end() ? kNone : found->second;
}

EntityResult<bool> Narrator::Load(std::initializer_list<std::string_view> entities) {
  for (const std::string_view entity : entities) {
    const std::vector<Item>& items = ItemsOf(entity);
    if (items.empty() || !loaded_.emplace(entity).second) continue;
    TRY(const Written written, WriteItems(entities_, entity, items));
    unfit_ += written.unfit;
    Did(fmt::format("{} of {} {} items written{}", written.created, items.size(), entity,
                    written.present == 0
                        ? ""
                        : fmt::format("; {} there before, left as they are", written.present)));
    for (const std::string& note : written.notes) Say("  ! " + note);
  }
  const std::string_view last = *(entities.end() - 1);
  if (!ItemsOf(last).empty()) return true;
  Say(fmt::format("  the items have no {}: nothing to show", last));
  return false;
}

void Narrator::Title(std::string_view text) { out_ << "\n" << text << "\n"; }

void Narrator::Say(std::string_view text) { out_ << "  " << text << "\n"; }

void Narrator::Did(std::string_view text) {
  const UsedUnits now = entities_.used();
  std::string cost;
  if (now.write > told_.write) cost += fmt::format("{:g} WRU", now.write - told_.write);
  if (now.read > told_.read) {
    cost += fmt::format("{}{:g} RRU", cost.empty() ? "" : ", ", now.read - told_.read);
  }
  told_ = now;
  out_ << fmt::format("    {:<68} {}\n", text, cost);
}

void Narrator::Show(const std::vector<Item>& items, const std::vector<std::string>& attributes,
                    std::size_t most) {
  std::vector<std::vector<std::string>> rows = {attributes};
  for (const Item& item : items) {
    if (rows.size() > most) break;
    std::vector<std::string>& row = rows.emplace_back();
    for (const std::string& attribute : attributes) row.push_back(CellOf(item, attribute));
  }
  out_ << Indented(TextTable(rows));
  if (items.size() > most) out_ << "      … and " << items.size() - most << " more\n";
}

const Example* FindExample(std::span<const Example> examples, std::string_view name) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].name == name || std::to_string(i + 1) == name) return &examples[i];
  }
  return nullptr;
}

EntityResult<void> RunExample(const Example& example, Narrator& narrator) {
  narrator.Title(example.title);
  narrator.Say(example.keys);
  return example.run(narrator);
}

}  // namespace stator::systems::orders
