#include "systems/homeops/upkeep/mending.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <vector>

#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::homeops {
namespace {

constexpr std::int64_t kSecondsMax = 9'999'999'999;

// "ALIAS#hemma" with "ALIAS#" gives hemma.
std::optional<std::string> After(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return std::string(text.substr(prefix.size()));
}

std::optional<std::int64_t> IntegerIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// A whole number, also one that was written as text.
std::optional<std::int64_t> IntegerOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return std::nullopt;
  if (value->type() == Type::kN) return value->AsInt64();
  return value->type() == Type::kS ? IntegerIn(value->S()) : std::nullopt;
}

// Seconds since the epoch: of a number in seconds or milliseconds, or of a time as text.
std::optional<std::int64_t> SecondsIn(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return std::nullopt;
  if (value->type() == Type::kS) {
    if (const auto time = ParseTime(value->S())) return SecondsOf(*time);
  }
  auto number = IntegerOf(item, name);
  if (number && *number > kSecondsMax) *number /= 1000;
  return number && *number > 0 && *number <= kSecondsMax ? number : std::nullopt;
}

std::string IsoText(std::int64_t epoch_s) {
  return SortableTime(TimeMs(std::chrono::seconds(epoch_s)));
}

// A ULID begins with its time in milliseconds.
std::optional<std::int64_t> SecondsOfUlid(std::string_view id) {
  static constexpr std::string_view kLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  if (id.size() != 26) return std::nullopt;
  std::int64_t time = 0;
  for (const char c : id.substr(0, 10)) {
    const std::size_t digit = kLetters.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    time = time * 32 + static_cast<std::int64_t>(digit);
  }
  const std::int64_t seconds = time / 1000;
  return seconds > 0 && seconds <= kSecondsMax ? std::optional(seconds) : std::nullopt;
}

// Puts an item right, attribute by attribute, and remembers what was wrong.
class Mender {
 public:
  explicit Mender(const Item& item) : right_(item) {}

  void Set(std::string_view name, const AttributeValue& value, std::string_view problem) {
    const auto stored = right_.Find(name);
    if (stored && *stored == value.view()) return;
    right_.Set(name, value);
    if (problem_.empty()) problem_ = problem;
  }

  // An attribute that is a number already stays as it is.
  void SetInteger(std::string_view name, std::optional<std::int64_t> fallback) {
    const auto stored = right_.Find(name);
    if (stored && stored->type() == Type::kN) return;
    const auto number = stored ? IntegerOf(right_.view(), name) : fallback;
    if (number) Set(name, AttributeValue(*number), fmt::format("{} is not a number", name));
  }
  void SetSeconds(std::string_view name) {
    const auto stored = right_.Find(name);
    const auto seconds = SecondsIn(right_.view(), name);
    if (stored && seconds && stored->type() == Type::kS) {
      Set(name, AttributeValue(*seconds), fmt::format("{} is not a number", name));
    }
  }

  void Hopeless(std::string_view problem) {
    if (problem_.empty()) problem_ = problem;
    is_hopeless_ = true;
  }

  const Item& item() const { return right_; }
  std::optional<Mending> Done() const {
    if (problem_.empty()) return std::nullopt;
    return Mending{problem_, is_hopeless_ ? std::nullopt : std::optional(right_)};
  }

 private:
  Item right_;
  std::string problem_;
  bool is_hopeless_ = false;
};

constexpr std::string_view kSpelling = "the activity is not spelled as questions ask for it";

std::optional<Mending> MendActivity(const Item& item, const Vocabularies& vocabularies) {
  Mender mender(item);
  const std::string activity =
      vocabularies.CanonicalOf(TextOf(item, "chatId"), TextOf(item, "activity"));
  auto at = SecondsIn(item.view(), "timestamp");
  if (!at) at = SecondsOfUlid(TextOf(item, "activityId"));
  const auto user = IntegerOf(item.view(), "userId");
  if (activity.empty()) {
    mender.Hopeless("it does not say what was done");
  } else if (!at) {
    mender.Hopeless("it does not say when it was done");
  } else {
    mender.Set("activity", AttributeValue(activity), kSpelling);
    mender.Set("timestamp", AttributeValue(*at), "timestamp is not in seconds");
    mender.Set("activityTimestamp", AttributeValue(fmt::format("{}#{:010d}", activity, *at)),
               item.Find("activityTimestamp") ? "activityTimestamp is not what it should be"
                                              : "it has no activityTimestamp");
    if (user) mender.Set("userId", AttributeValue(*user), "userId is not a number");
  }
  if (!user) mender.Hopeless("it does not say who did it");
  return mender.Done();
}

std::optional<Mending> MendAlias(const Item& item, const std::string& chat,
                                 const Vocabularies& vocabularies) {
  Mender mender(item);
  const std::string alias = Normalised(TextOf(item, "sk"));
  // What it means is the name of an activity; aliases have nothing to say about that.
  const std::string activity = vocabularies.CanonicalOf({}, TextOf(item, "canonicalActivity"));
  if (alias.empty() || activity.empty()) {
    mender.Hopeless("it does not say what it means");
    return mender.Done();
  }
  mender.Set("sk", AttributeValue(alias), "the alias is not spelled as messages are read");
  mender.Set("alias", AttributeValue(alias), "it has no alias attribute");
  mender.Set("chatId", AttributeValue(chat), "it has no chatId");
  mender.Set("canonicalActivity", AttributeValue(activity), kSpelling);
  mender.Set("gsi1pk", AttributeValue("ALIASES_BY_ACTIVITY#" + chat), "it is not in GSI1");
  mender.Set("gsi1sk", AttributeValue(activity), "it stands in GSI1 under something else");
  mender.SetInteger("confirmations", 0);
  if (TextOf(item, "source").empty()) {
    mender.Set("source", AttributeValue("seed"), "it does not say where it is from");
  }
  mender.SetSeconds("updatedAt");
  return mender.Done();
}

// "Mon", "monday" and "mon" are one day, "08" and "8" one hour.
std::string DayKey(std::string_view key) { return Normalised(key).substr(0, 3); }
std::string HourKey(std::string_view key) {
  const auto hour = IntegerIn(key);
  return hour ? std::to_string(*hour) : std::string(key);
}

using Counters = std::map<std::string, std::int64_t>;

template <class Key>
Counters CountersIn(ItemView item, std::string_view name, const Key& key_of) {
  Counters counters;
  const auto map = item.Find(name);
  if (!map || map->type() != Type::kM) return counters;
  for (const auto& [key, value] : map->Map()) {
    counters[key_of(key)] += IntegerOf(map->Map(), key).value_or(0);
  }
  return counters;
}

AttributeValue MapOf(const Counters& counters) {
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (const auto& [key, count] : counters) entries.emplace_back(key, AttributeValue(count));
  return AttributeValue::Map(entries);
}

std::optional<Mending> MendHabit(const Item& item, std::string_view chat_and_user,
                                 const Vocabularies& vocabularies) {
  Mender mender(item);
  const std::size_t mark = chat_and_user.rfind('#');
  const auto user =
      mark == std::string_view::npos ? std::nullopt : IntegerIn(chat_and_user.substr(mark + 1));
  const std::string chat(chat_and_user.substr(0, mark));
  const std::string activity = vocabularies.CanonicalOf(chat, TextOf(item, "sk"));
  if (!user || activity.empty()) {
    mender.Hopeless("its key does not say whose habit it is, or of what");
    return mender.Done();
  }
  mender.Set("sk", AttributeValue(activity), kSpelling);
  mender.Set("activity", AttributeValue(activity), "it has no activity attribute");
  mender.Set("chatId", AttributeValue(chat), "it has no chatId");
  mender.Set("userId", AttributeValue(*user), "it has no userId");
  const Counters days = CountersIn(item.view(), "dayOfWeekCounts", DayKey);
  mender.Set("dayOfWeekCounts", MapOf(days), "days are not counted as mon … sun");
  mender.Set("hourOfDayCounts", MapOf(CountersIn(item.view(), "hourOfDayCounts", HourKey)),
             "hours are not counted as 0 … 23");
  std::int64_t sum = 0;
  for (const auto& [day, count] : days) sum += count;
  mender.SetInteger("totalCount", sum);
  if (item.Find("lastSeen")) {
    const auto value = *item.Find("lastSeen");
    const auto seen = SecondsIn(item.view(), "lastSeen");
    const bool is_right = value.type() == Type::kS && value.S().size() == 24 && seen;
    if (!seen) mender.Hopeless("lastSeen is not a time");
    if (seen && !is_right) {
      mender.Set("lastSeen", AttributeValue(IsoText(*seen)), "lastSeen is not ISO 8601 text");
    }
  }
  return mender.Done();
}

std::optional<Mending> MendEffort(const Item& item, std::string_view user_text,
                                  const Vocabularies& vocabularies) {
  Mender mender(item);
  const auto user = IntegerIn(user_text);
  const std::string activity = vocabularies.CanonicalOf({}, TextOf(item, "sk"));
  if (!user || activity.empty()) {
    mender.Hopeless("its key does not say whose effort it is, or at what");
    return mender.Done();
  }
  mender.Set("sk", AttributeValue(activity), kSpelling);
  mender.Set("activity", AttributeValue(activity), "it has no activity attribute");
  mender.Set("userId", AttributeValue(*user), "it has no userId");
  const auto ema = item.Find("ema");
  if (ema && ema->type() == Type::kS) {
    mender.Set("ema", AttributeValue::Number(ema->S()), "ema is not a number");
  }
  mender.SetInteger("samples", 1);
  mender.SetInteger("version", 1);
  mender.SetSeconds("updatedAt");
  return mender.Done();
}

std::optional<Mending> MendMember(const Item& item, const std::string& chat) {
  Mender mender(item);
  const auto user = IntegerOf(item.view(), "userId");
  if (!user) {
    mender.Hopeless("it has no userId");
    return mender.Done();
  }
  const std::string name = TextOf(item, "name");
  mender.Set("userId", AttributeValue(*user), "userId is not a number");
  mender.Set("chatId", AttributeValue(chat), "it has no chatId");
  if (name.empty()) mender.Set("name", AttributeValue(TextOf(item, "sk")), "it has no name");
  mender.Set("sk", AttributeValue(std::to_string(*user)), "it is stored by name");
  return mender.Done();
}

Counters Sum(const Counters& a, const Counters& b) {
  Counters sum = a;
  for (const auto& [key, count] : b) sum[key] += count;
  return sum;
}

Item MergedHabit(const Item& a, const Item& b) {
  Item merged = a;
  for (const std::string_view name : {"dayOfWeekCounts", "hourOfDayCounts"}) {
    const auto same = [](std::string_view key) { return std::string(key); };
    merged.Set(name,
               MapOf(Sum(CountersIn(a.view(), name, same), CountersIn(b.view(), name, same))));
  }
  merged.Set("totalCount", AttributeValue(NumberOf(a, "totalCount") + NumberOf(b, "totalCount")));
  const std::string seen = std::max(TextOf(a, "lastSeen"), TextOf(b, "lastSeen"));
  if (!seen.empty()) merged.Set("lastSeen", AttributeValue(seen));
  return merged;
}

Item MergedEffort(const Item& a, const Item& b) {
  Item merged = a;
  const auto of_a = double(std::max<std::int64_t>(NumberOf(a, "samples"), 1));
  const auto of_b = double(std::max<std::int64_t>(NumberOf(b, "samples"), 1));
  const double ema =
      (RealOf(a.view(), "ema") * of_a + RealOf(b.view(), "ema") * of_b) / (of_a + of_b);
  merged.Set("ema", AttributeValue::Number(fmt::format("{:.4f}", ema)));
  merged.Set("samples", AttributeValue(static_cast<std::int64_t>(of_a + of_b)));
  merged.Set("version",
             AttributeValue(std::max(NumberOf(a, "version"), NumberOf(b, "version")) + 1));
  return merged;
}

// The meaning that more people have confirmed; the first if none has more.
Item MergedAlias(const Item& a, const Item& b) {
  const std::int64_t of_a = NumberOf(a, "confirmations");
  const std::int64_t of_b = NumberOf(b, "confirmations");
  Item merged = of_b > of_a ? b : a;
  if (TextOf(a, "canonicalActivity") == TextOf(b, "canonicalActivity")) {
    merged.Set("confirmations", AttributeValue(of_a + of_b));
  }
  return merged;
}

}  // namespace

void Vocabularies::Add(ItemView item) {
  const std::string pk = TextOf(item, "pk");
  if (const auto chat = After(pk, "ALIAS#")) {
    const Alias alias{.alias = Normalised(TextOf(item, "sk")),
                      .activity = Normalised(TextOf(item, "canonicalActivity")),
                      .confirmations = NumberOf(item, "confirmations"),
                      .source = TextOf(item, "source")};
    chats_[*chat].aliases.push_back(alias);
  } else if (const auto of = After(pk, "ACTIVITY#")) {
    const KnownActivity taught{.name = Normalised(TextOf(item, "sk")), .forms = {}};
    chats_[*of].activities.push_back(taught);
    all_.activities.push_back(taught);
  }
}

std::string Vocabularies::CanonicalOf(std::string_view chat, std::string_view activity) const {
  static const Vocabulary kNew;
  const std::pair key{std::string(chat), std::string(activity)};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const auto found = chats_.find(chat);
  const Vocabulary& vocabulary = chat.empty() ? all_ : found == chats_.end() ? kNew : found->second;
  std::string name = Normalised(activity);
  // A name stays what it is, whatever else the chat may call by it.
  if (vocabulary.Find(name) == nullptr) {
    if (std::string canonical = vocabulary.CanonicalOf(name); !canonical.empty()) name = canonical;
  }
  const std::scoped_lock lock(mutex_);
  return known_.emplace(key, name).first->second;
}

std::optional<Mending> MendingOf(std::string_view table, const Item& item,
                                 const Vocabularies& vocabularies) {
  if (table == "homeops-activities") return MendActivity(item, vocabularies);
  const std::string pk = TextOf(item, "pk");
  if (const auto chat = After(pk, "ALIAS#")) return MendAlias(item, *chat, vocabularies);
  if (const auto whose = After(pk, "PATTERN#")) return MendHabit(item, *whose, vocabularies);
  if (const auto user = After(pk, "EFFORT#")) return MendEffort(item, *user, vocabularies);
  if (const auto chat = After(pk, "MEMBERS#")) return MendMember(item, *chat);
  return std::nullopt;
}

Item Merged(const Item& a, const Item& b) {
  const std::string pk = TextOf(a, "pk");
  if (pk.starts_with("PATTERN#")) return MergedHabit(a, b);
  if (pk.starts_with("EFFORT#")) return MergedEffort(a, b);
  if (pk.starts_with("ALIAS#")) return MergedAlias(a, b);
  return a;
}

}  // namespace stator::systems::homeops
