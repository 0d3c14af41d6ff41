#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>

#include "model/parse/amount_text.h"
#include "model/parse/fields.h"
#include "model/parse/rate_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

// In the order of the file: a rate may name those above it.
void ReadRates(Problems& problems, const Node& node, Assumptions& assume) {
  if (!CheckMap(problems, node, "rates")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsText()) {
      problems.AddWrongKind(value, node.keys[i].text, "a rate");
      continue;
    }
    const auto rate = ReadRate(value.text, assume);
    if (!rate) problems.Add(value.place, rate.error());
    assume.rates.emplace(node.keys[i].text, rate.value_or(Rate{}));
  }
}

constexpr int kMostNestedTypes = 32;

// Reads `name` after the types that it is made of.
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

}  // namespace stator::model
