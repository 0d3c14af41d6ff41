#include "systems/homeops/memory/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kTextMax = 4000;
constexpr std::size_t kNameMax = 520;  // Telegram: two names of 64 characters
constexpr std::size_t kChatMax = 64;
constexpr std::int64_t kIdMax = (std::int64_t{1} << 53) - 1;  // what JavaScript holds exactly
constexpr std::int64_t kTimeMax = 9'999'999'999;  // ten digits, as the index key has them

// FNV-1a with a finishing mix; the same on every machine.
std::uint64_t Hash(std::string_view text, std::uint64_t hash) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3ULL;
  }
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9ULL;
  return hash ^ (hash >> 32);
}

// Text or number, as text; empty if it is missing or neither.
std::string IdText(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  if (value && value->type() == Type::kN) return std::string(value->N());
  return TextOf(item, name);
}

// A chat's id as keys can hold it: without the separator, and not too long.
std::string ChatKey(std::string id) {
  if (id.size() <= kChatMax && id.find('#') == std::string::npos) return id;
  const std::uint64_t hash = Hash(id, 0xCBF29CE484222325ULL);
  std::ranges::replace(id, '#', '-');
  return fmt::format("{}~{:016x}", Shortened(std::move(id), kChatMax - 17), hash);
}

// An id as a number. What is none, or too large for one, gets a negative number that follows from
// it; 0 if there is no id.
std::int64_t IdNumber(const std::string& id) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool is_number = error == std::errc() && end == id.data() + id.size();
  if (is_number && number >= -kIdMax && number <= kIdMax) return number;
  if (id.empty()) return 0;
  const std::uint64_t hash = Hash(id, 0x9E3779B97F4A7C15ULL) % static_cast<std::uint64_t>(kIdMax);
  return -static_cast<std::int64_t>(hash) - 1;
}

// Integers with more digits than 64 bits hold become texts; ids may be that long.
std::string WithLongNumbersQuoted(std::string_view json) {
  constexpr std::size_t kDigitsMax = 18;
  std::string out;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t end = std::min(json.find_first_not_of("-0123456789", i), json.size());
    const bool is_number = !in_text && end > i;
    // 1e30 and 1.5 are no ids.
    const bool goes_on = end < json.size() && std::string_view(".eE").contains(json[end]);
    if (is_number) {
      const std::string_view number = json.substr(i, end - i);
      const bool is_long =
          number.size() > kDigitsMax && !goes_on && (out.empty() || out.back() != '.');
      out += is_long ? fmt::format("\"{}\"", number) : std::string(number);
      i = end;
      continue;
    }
    if (in_text && json[i] == '\\' && i + 1 < json.size())
      out += json[i++];
    else if (json[i] == '"')
      in_text = !in_text;
    out += json[i++];
  }
  return out;
}

// Seconds since the epoch: a number in seconds or milliseconds, or a time as text.
std::int64_t TimeIn(ItemView item) {
  if (const auto time = ParseTime(TextOf(item, "timestamp"))) return SecondsOf(*time);
  const std::int64_t number = NumberOf(item, "timestamp");
  return number > kTimeMax ? number / 1000 : number;
}

std::string Problem(const Message& message) {
  if (message.chat.empty()) return "it has no chatId";
  if (message.id == 0) return "it has no messageId";
  if (message.at <= 0 || message.at > kTimeMax) return "its timestamp is not a time since 1970";
  return {};
}

AttributeValue ValueOf(const Deed& deed) {
  std::vector<std::pair<std::string, AttributeValue>> entries = {{"activity", deed.activity},
                                                                 {"recovery", deed.recovery},
                                                                 {"phrase", deed.phrase},
                                                                 {"effort", deed.effort},
                                                                 {"confidence", deed.confidence}};
  if (deed.user != 0) entries.emplace_back("user", AttributeValue(deed.user));
  if (!deed.who.empty()) entries.emplace_back("who", AttributeValue(deed.who));
  return AttributeValue::Map(entries);
}

Deed DeedOf(ItemView item) {
  const auto recovery = item.Find("recovery");
  return {.activity = TextOf(item, "activity"),
          .recovery = recovery && recovery->type() == Type::kBool && recovery->Bool(),
          .phrase = TextOf(item, "phrase"),
          .who = TextOf(item, "who"),
          .effort = static_cast<int>(NumberOf(item, "effort")),
          .confidence = static_cast<int>(NumberOf(item, "confidence")),
          .user = NumberOf(item, "user")};
}

}  // namespace

std::string Shortened(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

Fallible<Message> MessageOfLine(std::string_view json) {
  const auto item = ItemOfJson(WithLongNumbersQuoted(json));
  if (!item) return std::unexpected(item.error());
  Message message{.chat = IdText(item->view(), "chatId"),
                  .id = IdNumber(IdText(item->view(), "messageId")),
                  .user = IdNumber(IdText(item->view(), "userId")),
                  .name = TextOf(item->view(), "userName"),
                  .at = TimeIn(item->view()),
                  .text = TextOf(item->view(), "text"),
                  .reply_to = std::nullopt,
                  .direct = false,
                  .button = {},
                  .expected = TextOf(item->view(), "expected")};
  if (const std::int64_t to = IdNumber(IdText(item->view(), "replyTo")); to != 0) {
    message.reply_to = to;
  }
  if (std::string problem = Problem(message); !problem.empty()) return std::unexpected(problem);
  Fit(message);
  return message;
}

void Fit(Message& message) {
  message.chat = ChatKey(std::move(message.chat));
  message.name = Shortened(std::move(message.name), kNameMax);
  message.text = Shortened(std::move(message.text), kTextMax);
}

std::string LineOf(const Message& message) {
  std::string line = fmt::format(
      R"({{"chatId":{},"messageId":{},"userId":{},"userName":{},"timestamp":{},"text":{})",
      JsonText(message.chat), message.id, message.user, JsonText(message.name), message.at,
      JsonText(message.text));
  if (message.reply_to) line += fmt::format(R"(,"replyTo":{})", *message.reply_to);
  if (!message.expected.empty()) {
    line += fmt::format(R"(,"expected":{})", JsonText(message.expected));
  }
  return line + "}";
}

Item KeyOf(const Message& message) {
  return Item{{"chatId", message.chat}, {"messageId", message.id}};
}

Item RecordOf(const Message& message) {
  Item record{{"chatId", message.chat},   {"messageId", message.id}, {"userId", message.user},
              {"userName", message.name}, {"timestamp", message.at}, {"text", message.text}};
  if (message.reply_to) record.Set("replyTo", AttributeValue(*message.reply_to));
  if (!message.button.empty()) record.Set("button", AttributeValue(message.button));
  return record;
}

Message MessageOf(const Item& record) {
  Message message{.chat = TextOf(record, "chatId"),
                  .id = NumberOf(record, "messageId"),
                  .user = NumberOf(record, "userId"),
                  .name = TextOf(record, "userName"),
                  .at = NumberOf(record, "timestamp"),
                  .text = TextOf(record, "text"),
                  .reply_to = std::nullopt,
                  .direct = false,
                  .button = TextOf(record, "button"),
                  .expected = {}};
  if (record.Find("replyTo")) message.reply_to = NumberOf(record, "replyTo");
  return message;
}

// A record has its first deed as attributes of its own, the others as a list. What is said of a
// clarification stands in the same attributes.
std::optional<Decision> DecisionOf(const Item& record) {
  Decision decision{.kind = TextOf(record, "kind"),
                    .about = NumberOf(record, "about"),
                    .deed = static_cast<std::size_t>(NumberOf(record, "deed"))};
  if (decision.kind.empty()) return std::nullopt;
  Deed first = DeedOf(record.view());
  first.recovery = decision.kind == "recovery";
  if (decision.is_done() || decision.kind == "unclear") {
    decision.deeds.push_back(std::move(first));
  } else {
    decision.meant = std::move(first.activity);
    decision.phrase = std::move(first.phrase);
    decision.user = first.user;
  }
  const auto also = record.Find("also");
  if (!also || also->type() != Type::kL) return decision;
  for (const ValueView deed : also->List()) {
    if (deed.type() == Type::kM) decision.deeds.push_back(DeedOf(deed.Map()));
  }
  return decision;
}

std::vector<std::pair<std::string, AttributeValue>> AttributesOf(const Decision& decision) {
  std::vector<std::pair<std::string, AttributeValue>> attributes = {{"kind", decision.kind}};
  const auto add_text = [&](const char* name, const std::string& text) {
    if (!text.empty()) attributes.emplace_back(name, AttributeValue(text));
  };
  const auto add_number = [&](const char* name, std::int64_t number) {
    if (number != 0) attributes.emplace_back(name, AttributeValue(number));
  };
  add_text("activity", decision.activity());
  if (decision.deeds.empty()) {
    add_text("phrase", decision.phrase);
    add_number("about", decision.about);
    add_number("deed", static_cast<std::int64_t>(decision.deed));
    add_number("user", decision.user);
    return attributes;
  }
  const Deed& first = decision.deeds.front();
  add_text("phrase", first.phrase);
  add_text("who", first.who);
  attributes.emplace_back("effort", AttributeValue(first.effort));
  attributes.emplace_back("confidence", AttributeValue(first.confidence));
  add_number("user", first.user);
  std::vector<AttributeValue> others;
  for (std::size_t i = 1; i < decision.deeds.size(); ++i) {
    others.push_back(ValueOf(decision.deeds[i]));
  }
  if (!others.empty()) attributes.emplace_back("also", AttributeValue::List(others));
  return attributes;
}

std::string ActivityIdOf(const Message& message, std::size_t deed) {
  static constexpr std::string_view kLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string name = fmt::format("{}/{}", message.chat, message.id);
  if (deed > 0) name += fmt::format("/{}", deed);
  std::array<std::uint64_t, 2> random = {Hash(name, 0xCBF29CE484222325ULL),
                                         Hash(name, 0x9E3779B97F4A7C15ULL)};
  std::string id(26, '0');
  std::uint64_t time = static_cast<std::uint64_t>(message.at) * 1000;
  for (std::size_t i = 10; i-- > 0; time >>= 5) id[i] = kLetters[time & 31];
  for (std::size_t i = 10; i < 26; ++i) {
    std::uint64_t& bits = random[(i - 10) / 8];
    id[i] = kLetters[bits & 31];
    bits >>= 5;
  }
  return id;
}

}  // namespace stator::systems::homeops
