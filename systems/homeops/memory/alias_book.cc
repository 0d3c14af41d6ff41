#include "systems/homeops/memory/alias_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr int kAliasAttempts = 20;

Alias AliasOf(const Item& item) {
  return {.alias = TextOf(item.view(), "sk"),
          .activity = TextOf(item.view(), "canonicalActivity"),
          .confirmations = NumberOf(item.view(), "confirmations"),
          .source = TextOf(item.view(), "source")};
}

EntityResult<std::vector<Alias>> AliasesOf(const EntityResult<std::vector<Item>>& items) {
  if (!items) return std::unexpected(items.error());
  std::vector<Alias> aliases;
  for (const Item& item : *items) aliases.push_back(AliasOf(item));
  return aliases;
}

}  // namespace

EntityResult<std::vector<Alias>> AliasBook::Of(std::string_view chat) {
  return AliasesOf(entities_.All("aliases", {{"chat", AttributeValue(chat)}}));
}

EntityResult<std::vector<Alias>> AliasBook::For(std::string_view chat, std::string_view activity) {
  return AliasesOf(entities_.All(
      "aliases_of", {{"chat", AttributeValue(chat)}, {"activity", AttributeValue(activity)}}));
}

EntityResult<std::optional<Alias>> AliasBook::Find(std::string_view chat, std::string_view phrase) {
  const auto item = entities_.Get("Alias", Item{{"chatId", chat}, {"alias", Normalised(phrase)}});
  if (!item) return std::unexpected(item.error());
  return *item ? std::optional(AliasOf(**item)) : std::nullopt;
}

EntityResult<void> AliasBook::LoadSeeds(std::string_view chat) {
  const auto aliases = Of(chat);
  if (!aliases) return std::unexpected(aliases.error());
  bool added = false;
  for (const SeedAlias& seed : SeedAliases()) {
    if (std::ranges::find(*aliases, seed.alias, &Alias::alias) != aliases->end()) continue;
    added = true;
    const auto created = entities_.Create(
        "Alias",
        Item{{"chatId", chat}, {"alias", seed.alias}, {"canonicalActivity", seed.activity}});
    // Another worker may have been faster.
    if (!created && created.error().kind != EntityErrorKind::kExists) {
      return std::unexpected(created.error());
    }
  }
  if (added) entities_.ForgetCached("aliases");
  return {};
}

EntityResult<void> AliasBook::TeachOnce(const Item& key, std::string_view activity,
                                        const Message* because) {
  const auto stored = entities_.Get("Alias", key, {.strong = true});
  if (!stored) return std::unexpected(stored.error());
  const std::int64_t at = because != nullptr ? because->at : SecondsOf(entities_.Now());
  const std::string meaning =
      *stored ? TextOf((*stored)->view(), "canonicalActivity") : std::string();
  EntityTransaction together = entities_.Begin();
  if (because != nullptr) {
    Change stamp{.set = {{"taughtAt", at}, {"taught", TextOf(key, "alias")}}};
    if (!meaning.empty()) stamp.set.emplace_back("taughtBefore", AttributeValue(meaning));
    together.Update("Message", KeyOf(*because), stamp, {.only_if = "taughtAt missing"});
  }
  const WriteOptions unchanged{.only_if = "canonicalActivity = $before",
                               .parameters = {{"before", AttributeValue(meaning)}}};
  if (!*stored) {
    Item alias = key;
    alias.Set("canonicalActivity", AttributeValue(activity));
    alias.Set("source", AttributeValue("learned"));
    alias.Set("confirmations", AttributeValue(1));
    alias.Set("updatedAt", AttributeValue(at));
    if (because != nullptr) alias.Set("learnedFrom", AttributeValue(because->id));
    together.Create("Alias", alias);
  } else if (meaning == activity) {
    together.Update("Alias", key, {.set = {{"updatedAt", at}}, .add = {{"confirmations", 1}}},
                    unchanged);
  } else {
    Change change{.set = {{"canonicalActivity", AttributeValue(activity)},
                          {"source", "learned"},
                          {"confirmations", 1},
                          {"updatedAt", at}}};
    if (because != nullptr) change.set.emplace_back("learnedFrom", AttributeValue(because->id));
    together.Update("Alias", key, change, unchanged);
  }
  return together.Commit();
}

EntityResult<void> AliasBook::Teach(std::string_view chat, std::string_view phrase,
                                    std::string_view activity, const Message* because) {
  const Item key{{"chatId", chat}, {"alias", Normalised(phrase)}};
  EntityResult<void> taught;
  for (int attempt = 0; attempt < kAliasAttempts; ++attempt) {
    taught = TeachOnce(key, activity, because);
    if (taught || !IsRace(taught.error())) break;
    if (because == nullptr) continue;
    const auto record = entities_.Get("Message", KeyOf(*because), {.strong = true});
    if (!record) return std::unexpected(record.error());
    if (*record && (*record)->Find("taughtAt")) return {};
  }
  if (taught && options_.forget_when_taught) entities_.ForgetCached("aliases");
  return taught;
}

EntityResult<void> AliasBook::Restore(const Item& taught, const Message& because) {
  const std::string before = TextOf(taught, "taughtBefore");
  const Item key{{"chatId", TextOf(taught, "chatId")}, {"alias", TextOf(taught, "taught")}};
  const WriteOptions unchanged{
      .only_if = "learnedFrom = $taught",
      .parameters = {{"taught", AttributeValue(NumberOf(taught, "messageId"))}}};
  const auto restored =
      before.empty() ? entities_.Delete("Alias", key, unchanged)
                     : entities_.Update("Alias", key,
                                        {.set = {{"canonicalActivity", AttributeValue(before)},
                                                 {"learnedFrom", AttributeValue(because.id)},
                                                 {"updatedAt", because.at}}},
                                        unchanged);
  entities_.ForgetCached("aliases");
  // It was restored before, or taught anew.
  if (!restored && !IsOvertaken(restored.error())) return std::unexpected(restored.error());
  return {};
}

EntityResult<std::string> AliasBook::Canonical(std::string_view chat, std::string_view name) {
  const std::string wanted = Normalised(name);
  const auto aliases = Of(chat);
  if (!aliases) return std::unexpected(aliases.error());
  std::string canonical = Vocabulary{.aliases = *aliases}.CanonicalOf(wanted);
  return canonical.empty() ? wanted : canonical;
}

}  // namespace stator::systems::homeops
