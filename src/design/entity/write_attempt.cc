#include "entity/write_attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/try.h"
#include "model/parse/predicate_text.h"

namespace stator::entity {

EntityResult<std::optional<Item>> ReadItem(Context& context, const Home& home, const Item& key,
                                           bool strong) {
  auto answer =
      context.endpoint().GetItem({.table_name = home.table_name,
                                  .key = key,
                                  .consistent_read = strong,
                                  .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  if (!answer) return std::unexpected(StoreError(answer.error()));
  context.CountRead(answer->consumed_capacity);
  return std::move(answer->item);
}

EntityError MissingError(const Home& home) {
  return MakeError(EntityErrorKind::kMissing, fmt::format("there is no such {}", home.entity.name));
}

EntityError ExistsError(const Home& home, std::optional<Item> item) {
  return MakeError(EntityErrorKind::kExists,
                   fmt::format("this {} exists already", home.entity.name), std::move(item));
}

EntityError ErrorOf(const SendFailure& failure) {
  if (failure.error) {
    EntityError error = StoreError(*failure.error);
    if (failure.contended) error.kind = EntityErrorKind::kConflict;
    return error;
  }
  return MakeError(EntityErrorKind::kConflict,
                   "the item was changed by others again and again: try later",
                   failure.condition ? failure.condition->item : std::nullopt);
}

void WaitForOthers(Context& context, int attempt) {
  const std::int64_t bound = std::int64_t{5} << std::min(attempt, 6);
  std::this_thread::sleep_for(std::chrono::milliseconds(1 + context.RandomBelow(bound)));
}

EntityResult<std::optional<model::Predicate>> ParsedCondition(const std::string& only_if) {
  if (only_if.empty()) return std::nullopt;
  model::Node node;
  node.kind = model::Node::Kind::kText;
  node.text = only_if;
  auto parsed = model::ReadPredicate(node);
  if (!parsed) return Invalid(fmt::format("only_if `{}`: {}", only_if, parsed.error().message));
  return *std::move(parsed);
}

model::Parameters ParametersOf(const std::vector<std::pair<std::string, AttributeValue>>& given) {
  return [&given](std::string_view name) -> std::optional<AttributeValue> {
    for (const auto& [parameter, value] : given) {
      if (parameter == name) return value;
    }
    return std::nullopt;
  };
}

EntityResult<void> AddOptions(const Context& context, const Home& home, const WriteOptions& options,
                              const std::optional<model::Predicate>& only_if,
                              ConditionalWrite& write) {
  if (options.expected_version) {
    if (home.entity.version.empty()) {
      return Invalid(fmt::format("{} has no version in the model", home.entity.name));
    }
    const std::string& name = home.entity.version;
    std::string same = write.expression.Equals(name, AttributeValue(*options.expected_version));
    // Items that were written without the entity layer have none, which counts as 0.
    if (*options.expected_version == 0) {
      same = fmt::format("({} OR {})", write.expression.StillIs(name, std::nullopt), same);
    }
    AndAlso(write.condition, same);
  }
  if (only_if) {
    std::string problem;
    AndAlso(write.condition, write.expression.Condition(*only_if, home.entity, context.Now(),
                                                        ParametersOf(options.parameters), problem));
    if (!problem.empty()) return Invalid("only_if: " + problem);
  }
  return {};
}

std::optional<EntityError> JudgeOptions(const Context& context, const Home& home,
                                        const WriteOptions& options,
                                        const std::optional<model::Predicate>& only_if,
                                        const Item& item) {
  const auto conflict = [&](std::string message) {
    return MakeError(EntityErrorKind::kConflict, std::move(message), item);
  };
  if (options.expected_version) {
    const auto stored = item.Find(home.entity.version);
    const auto version = stored && stored->type() == Type::kN ? stored->AsInt64() : std::nullopt;
    if (version.value_or(0) != *options.expected_version) {
      return conflict(fmt::format("{} has version {}, expected {}", home.entity.name,
                                  version.value_or(0), *options.expected_version));
    }
  }
  if (only_if && !model::Holds(*only_if, home.entity, item.view(), context.Now(),
                               ParametersOf(options.parameters))) {
    return conflict(fmt::format("{}: `{}` does not hold", home.entity.name, only_if->text));
  }
  return std::nullopt;
}

}  // namespace stator::entity
