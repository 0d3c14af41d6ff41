#include "systems/homeops/message.h"

#include <fmt/format.h>

#include <array>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kTextMax = 4000;
constexpr std::int64_t kUserMax = 999'999'999'999'999;
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

std::string Problem(const Message& message) {
  if (message.chat.empty()) return "it has no chatId";
  if (message.chat.find('#') != std::string::npos) return "its chatId contains '#'";
  if (message.chat.size() > 24) return "its chatId is longer than 24 bytes";
  if (message.id <= 0) return "it has no messageId, a number above 0";
  if (message.user <= 0 || message.user > kUserMax) return "it has no userId, 1 to 15 digits";
  if (message.name.empty() || message.name.size() > 40)
    return "it has no userName of 1 to 40 bytes";
  if (message.at <= 0 || message.at > kTimeMax) return "its timestamp is not in seconds since 1970";
  return {};
}

}  // namespace

Fallible<Message> MessageOfLine(std::string_view json) {
  const auto item = ItemOfJson(json);
  if (!item) return std::unexpected(item.error());
  Message message{.chat = TextOf(item->view(), "chatId"),
                  .id = NumberOf(item->view(), "messageId"),
                  .user = NumberOf(item->view(), "userId"),
                  .name = TextOf(item->view(), "userName"),
                  .at = NumberOf(item->view(), "timestamp"),
                  .text = TextOf(item->view(), "text"),
                  .reply_to = std::nullopt,
                  .expected = TextOf(item->view(), "expected")};
  if (const std::int64_t to = NumberOf(item->view(), "replyTo"); to > 0) message.reply_to = to;
  if (std::string problem = Problem(message); !problem.empty()) return std::unexpected(problem);
  if (message.text.size() > kTextMax) {
    std::size_t end = kTextMax;
    while (end > 0 && (static_cast<unsigned char>(message.text[end]) & 0xC0) == 0x80) --end;
    message.text.resize(end);
  }
  return message;
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
  return record;
}

std::optional<Decision> DecisionOf(const Item& record) {
  Decision decision{.kind = TextOf(record.view(), "kind"),
                    .activity = TextOf(record.view(), "activity"),
                    .phrase = TextOf(record.view(), "phrase"),
                    .effort = static_cast<int>(NumberOf(record.view(), "effort")),
                    .confidence = static_cast<int>(NumberOf(record.view(), "confidence"))};
  if (decision.kind.empty()) return std::nullopt;
  return decision;
}

std::string ActivityIdOf(const Message& message) {
  static constexpr std::string_view kLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const std::string name = fmt::format("{}/{}", message.chat, message.id);
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
