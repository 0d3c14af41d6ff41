#include "systems/homeops/talking/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

// The number of a button, from 1; 0 if the line is something else.
std::size_t ButtonNumber(const std::string& line) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  return error == std::errc() && end == line.data() + line.size() ? number : 0;
}

}  // namespace

EntityResult<std::int64_t> Chat::NextId(const std::string& chat) {
  const auto recent = entities_.Query("recent", {{"chat", AttributeValue(chat)}});
  if (!recent) return std::unexpected(recent.error());
  std::int64_t last = 0;
  for (const Item& item : recent->items) last = std::max(last, NumberOf(item, "messageId"));
  return last + 1;
}

EntityResult<Message> Chat::MessageIn(const std::string& line) {
  if (line.starts_with('{')) {
    auto message = MessageOfLine(line);
    if (!message) {
      return std::unexpected(EntityError{.kind = EntityErrorKind::kInvalid,
                                         .message = "this is no message: " + message.error()});
    }
    message->direct = true;
    return *std::move(message);
  }
  const auto id = NextId(options_.chat);
  if (!id) return std::unexpected(id.error());
  Message message{.chat = options_.chat,
                  .id = *id,
                  .user = options_.user,
                  .name = options_.name,
                  .at = SecondsOf(entities_.Now()),
                  .text = line,
                  .reply_to = std::nullopt,
                  .direct = true,
                  .button = {},
                  .expected = {}};
  const std::size_t number = ButtonNumber(line);
  if (number >= 1 && number <= buttons_.size()) {
    message.button = buttons_[number - 1].does;
    message.reply_to = answered_;
    message.text.clear();
  }
  Fit(message);
  return message;
}

Sent Chat::Print(const Message& message, const Reply& reply) {
  std::string text = reply.text;
  for (std::size_t i = 0; i < reply.buttons.size(); ++i) {
    text += fmt::format("{}[{}] {}", i == 0 ? "\n  " : "  ", i + 1, reply.buttons[i].label);
  }
  const auto id = NextId(message.chat);
  if (!id) return {.state = Sent::State::kNotSent, .problem = id.error().message};
  print_(text);
  buttons_ = reply.buttons;
  answered_ = *id;
  return {.state = Sent::State::kArrived, .message_id = *id};
}

EntityResult<void> Chat::Take(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return {};
  const auto message = MessageIn(line);
  if (!message) return std::unexpected(message.error());
  if (seeded_ != message->chat) {
    // Without them the built-in words do.
    if (bot_.aliases().LoadSeeds(message->chat)) seeded_ = message->chat;
  }
  const auto outcome = bot_.Handle(*message);
  if (!outcome) return std::unexpected(outcome.error());
  if (outcome->reply.text.empty()) return {};
  const auto sent = outbox_.Deliver(
      *message, [this](const Message& to, const Reply& reply) { return Print(to, reply); });
  if (!sent) return std::unexpected(sent.error());
  return {};
}

}  // namespace stator::systems::homeops
