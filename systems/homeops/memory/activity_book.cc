#include "systems/homeops/memory/activity_book.h"

#include <set>

#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kForgottenMax = 90;  // a transaction takes a hundred

Item TaughtAlias(const Message& because, std::string_view alias, std::string_view activity) {
  return Item{{"chatId", because.chat}, {"alias", alias},     {"canonicalActivity", activity},
              {"source", "learned"},    {"confirmations", 1}, {"learnedFrom", because.id},
              {"updatedAt", because.at}};
}

}  // namespace

EntityResult<std::vector<KnownActivity>> ActivityBook::TaughtIn(std::string_view chat) {
  const auto aliases = entities_.All("aliases", {{"chat", AttributeValue(chat)}});
  if (!aliases) return std::unexpected(aliases.error());
  std::vector<KnownActivity> activities;
  for (const Item& alias : *aliases) {
    const std::string type = TextOf(alias, "type");
    const std::string name = TextOf(alias, "canonicalActivity");
    if (type.empty() || TextOf(alias, "sk") != name) continue;
    activities.push_back({.name = name,
                          .recovery = type == "recovery",
                          .effort = static_cast<int>(NumberOf(alias, "effort")),
                          .forms = {}});
  }
  return activities;
}

EntityResult<void> ActivityBook::Teach(const KnownActivity& activity, const Vocabulary& known,
                                       const Message& because) {
  EntityTransaction together = entities_.Begin();
  together.Update("Message", KeyOf(because), {.set = {{"actedAt", because.at}}},
                  {.only_if = "actedAt missing"});
  if (known.Find(activity.name) == nullptr) {
    Item name = TaughtAlias(because, activity.name, activity.name);
    name.Set("type", AttributeValue(activity.recovery ? "recovery" : "chore"));
    name.Set("effort", AttributeValue(activity.effort));
    together.Create("Alias", name);
  }
  for (const std::string& form :
       std::set<std::string>(activity.forms.begin(), activity.forms.end())) {
    if (form != activity.name) together.Create("Alias", TaughtAlias(because, form, activity.name));
  }
  auto taught = together.Commit();
  if (taught) entities_.ForgetCached("aliases");
  return taught;
}

EntityResult<void> ActivityBook::Forget(std::string_view name, const Message& taught,
                                        const Message& because) {
  entities_.ForgetCached("aliases");
  const auto aliases = entities_.All("aliases", {{"chat", AttributeValue(taught.chat)}});
  if (!aliases) return std::unexpected(aliases.error());
  bool is_gone = false;  // the activity itself, and not only words for it
  for (const Item& alias : *aliases) {
    is_gone =
        is_gone || (TextOf(alias, "sk") == name && NumberOf(alias, "learnedFrom") == taught.id);
  }
  EntityTransaction together = entities_.Begin();
  together.Update("Message", KeyOf(because), {.set = {{"actedAt", because.at}}},
                  {.only_if = "actedAt missing"});
  together.Update("Message", KeyOf(taught), {.set = {{"undoneAt", because.at}}},
                  {.only_if = "undoneAt missing"});
  std::size_t count = 0;
  for (const Item& alias : *aliases) {
    if (TextOf(alias, "canonicalActivity") != name || count == kForgottenMax) continue;
    if (!is_gone && NumberOf(alias, "learnedFrom") != taught.id) continue;
    together.Delete("Alias", alias);
    ++count;
  }
  auto forgotten = together.Commit();
  entities_.ForgetCached("aliases");
  return forgotten;
}

}  // namespace stator::systems::homeops
