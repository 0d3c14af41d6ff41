#include "systems/homeops/memory/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

std::string FirstWord(const std::string& name) { return name.substr(0, name.find(' ')); }

}  // namespace

EntityResult<std::vector<Member>> People::Of(std::string_view chat) {
  const auto members = entities_.All("members", {{"chat", AttributeValue(chat)}});
  if (!members) return std::unexpected(members.error());
  std::vector<Member> people;
  for (const Item& item : *members) {
    people.push_back({NumberOf(item, "userId"), TextOf(item, "name")});
  }
  std::ranges::sort(people, {}, &Member::user);
  return people;
}

EntityResult<void> People::Meet(const Message& message) {
  const std::string who = fmt::format("{}#{}#{}", message.chat, message.user, message.name);
  {
    const std::scoped_lock lock(mutex_);
    if (met_.contains(who)) return {};
  }
  const Item key{{"chatId", message.chat}, {"memberId", std::to_string(message.user)}};
  Item member = key;
  member.Set("userId", AttributeValue(message.user));
  member.Set("name", AttributeValue(message.name));
  const auto joined = entities_.Create("Member", member);
  if (!joined && joined.error().kind != EntityErrorKind::kExists) {
    return std::unexpected(joined.error());
  }
  const auto& before = joined ? std::nullopt : joined.error().item;
  if (before && TextOf(*before, "name") != message.name) {
    const auto renamed = entities_.Update("Member", key, {.set = {{"name", message.name}}});
    if (!renamed) return std::unexpected(renamed.error());
  }
  const std::scoped_lock lock(mutex_);
  met_.insert(who);
  return {};
}

std::vector<Member> Called(const std::vector<Member>& people, std::string_view name) {
  std::vector<Member> found;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size()) {
    const auto member = std::ranges::find(people, number, &Member::user);
    found.push_back(member == people.end() ? Member{number, std::string(name)} : *member);
    return found;
  }
  const std::string wanted = Normalised(name);
  for (const Member& person : people) {
    if (Normalised(person.name) == wanted) found.push_back(person);
  }
  // A whole name means its bearer, also where others have it as their first.
  if (!found.empty() && wanted.find(' ') != std::string::npos) return found;
  for (const Member& person : people) {
    const std::string whole = Normalised(person.name);
    if (whole != wanted && FirstWord(whole) == wanted) found.push_back(person);
  }
  return found;
}

std::vector<std::string> NamesOf(const std::vector<Member>& people) {
  std::set<std::string> names;
  for (const Member& person : people) {
    const std::string whole = Normalised(person.name);
    if (whole.empty()) continue;
    names.insert(FirstWord(whole));
    names.insert(whole);
  }
  return {names.begin(), names.end()};
}

std::string NameAmong(const std::vector<Member>& people, const Member& person) {
  const std::string name = person.name.empty() ? "Någon" : person.name;
  const auto same = std::ranges::count_if(people, [&](const Member& other) {
    return other.user != person.user && Normalised(other.name) == Normalised(person.name);
  });
  return same == 0 && !person.name.empty() ? name : fmt::format("{} ({})", name, person.user);
}

}  // namespace stator::systems::homeops
