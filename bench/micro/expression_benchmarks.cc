// Expressions: reading their text, and running them on an item.
#include <benchmark/benchmark.h>

#include <string_view>
#include <utility>

#include "base/check.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "micro/items.h"

namespace stator::bench {
namespace {

constexpr std::string_view kCondition =
    "attribute_exists(pk) AND #v >= :zero AND begins_with(address.street, :prefix)";
constexpr std::string_view kUpdate = "SET #v = #v + :one, address.floor = :zero REMOVE scores[1]";
constexpr std::string_view kProjection = "pk, #v, address.street, scores[2]";
constexpr std::string_view kKeyCondition = "pk = :prefix AND #v BETWEEN :zero AND :one";

const NameMap kNames = {{"#v", "version"}};
const ValueMap kValues = {{":zero", 0}, {":one", 1}, {":prefix", "St James"}};

Placeholders MakePlaceholders() { return {&kNames, &kValues, Wording::kCurrent}; }

Result<Condition> ParseCondition() {
  Placeholders placeholders = MakePlaceholders();
  return Condition::Parse(kCondition, ExpressionKind::kCondition, placeholders);
}

Result<Update> ParseUpdate() {
  Placeholders placeholders = MakePlaceholders();
  return Update::Parse(kUpdate, placeholders);
}

Result<Projection> ParseProjection() {
  Placeholders placeholders = MakePlaceholders();
  return Projection::Parse(kProjection, placeholders);
}

Result<std::vector<KeyClause>> ParseQueryKey() {
  Placeholders placeholders = MakePlaceholders();
  return ParseKeyCondition(kKeyCondition, placeholders);
}

template <auto Parse>
void ParseText(benchmark::State& state) {
  STATOR_CHECK(Parse().has_value());
  for (auto _ : state) {
    auto parsed = Parse();
    benchmark::DoNotOptimize(parsed);
  }
}
BENCHMARK(ParseText<ParseCondition>)->Name("ConditionParse");
BENCHMARK(ParseText<ParseUpdate>)->Name("UpdateParse");
BENCHMARK(ParseText<ParseProjection>)->Name("ProjectionParse");
BENCHMARK(ParseText<ParseQueryKey>)->Name("KeyConditionParse");

void ConditionEvaluate(benchmark::State& state) {
  const Condition condition = ParseCondition().value();
  const Item item = ParsedItem(ItemJson(42, 0));
  STATOR_CHECK(condition.Evaluate(item.view()));
  for (auto _ : state) benchmark::DoNotOptimize(condition.Evaluate(item.view()));
}
BENCHMARK(ConditionEvaluate);

void UpdateApply(benchmark::State& state) {
  const Update update = ParseUpdate().value();
  const Item item = ParsedItem(ItemJson(42, 0));
  STATOR_CHECK(update.Apply(item.view()).has_value());
  for (auto _ : state) {
    Result<Item> after = update.Apply(item.view());
    benchmark::DoNotOptimize(after);
  }
}
BENCHMARK(UpdateApply);

void ProjectionApply(benchmark::State& state) {
  const Projection projection = ParseProjection().value();
  const Item item = ParsedItem(ItemJson(42, 0));
  STATOR_CHECK(projection.Apply(item.view()).size() == 4);
  for (auto _ : state) {
    Item selected = projection.Apply(item.view());
    benchmark::DoNotOptimize(selected);
  }
}
BENCHMARK(ProjectionApply);

}  // namespace
}  // namespace stator::bench
