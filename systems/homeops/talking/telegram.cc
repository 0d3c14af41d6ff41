#include "systems/homeops/talking/telegram.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/http.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kBodyBytesMax = 8 << 20;
constexpr std::chrono::seconds kCallTimeout{15};

// The object or value at a name; an empty item if there is none.
Item ObjectOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kM ? Item::FromView(value->Map()) : Item();
}

bool IsTrue(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kBool && value->Bool();
}

// What the API answered.
struct ApiAnswer {
  int status = 0;
  Item body;

  std::string Problem() const {
    const std::string description = TextOf(body, "description");
    return description.empty() ? fmt::format("the API answered with status {}", status)
                               : description;
  }
  std::chrono::seconds RetryAfter() const {
    return std::chrono::seconds(NumberOf(ObjectOf(body.view(), "parameters"), "retry_after"));
  }
};

std::expected<ApiAnswer, HttpFailure> CallApi(const TelegramOptions& options,
                                              std::string_view method, std::string json,
                                              std::chrono::milliseconds timeout) {
  const HttpCall call{.url = fmt::format("{}/bot{}/{}", options.url, options.token, method),
                      .body = std::move(json),
                      .headers = {"Content-Type: application/json"},
                      .timeout = timeout,
                      .bytes_max = kBodyBytesMax,
                      .ca_file = options.ca_file};
  std::string body;
  const auto reply = HttpReceive(call, {.begin = [](const HttpReply&) { return true; },
                                        .take =
                                            [&](std::string_view piece) {
                                              body += piece;
                                              return body.size() <= kBodyBytesMax;
                                            }});
  if (!reply) return std::unexpected(reply.error());
  ApiAnswer answer{.status = reply->status, .body = {}};
  if (auto parsed = ItemOfJson(reply->status == 200 ? body : reply->body)) {
    answer.body = *std::move(parsed);
  }
  return answer;
}

TelegramFailure FailureOf(const HttpFailure& failure) {
  return {.message = failure.message, .is_lasting = failure.is_lasting};
}

TelegramFailure FailureOf(const ApiAnswer& answer) {
  if (answer.status == 401 || answer.status == 404) {
    return {.message = "the API does not know this token", .is_lasting = true};
  }
  return {.message = answer.Problem(), .retry_after = answer.RetryAfter()};
}

TelegramResult<Item> ResultOf(const std::expected<ApiAnswer, HttpFailure>& answer) {
  if (!answer) return std::unexpected(FailureOf(answer.error()));
  if (!IsTrue(answer->body, "ok")) return std::unexpected(FailureOf(*answer));
  return answer->body;
}

// http://127.0.0.1, with or without a port and a path.
bool IsOnThisMachine(std::string_view url) {
  for (const std::string_view host : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
    if (!url.starts_with(host)) continue;
    const std::string_view rest = url.substr(host.size());
    const bool is_end = rest.empty() || rest.front() == ':' || rest.front() == '/';
    return is_end && rest.find('@') == std::string_view::npos;
  }
  return false;
}

void ReplaceAll(std::string& text, std::string_view old, std::string_view by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
    text.replace(at, old.size(), by);
  }
}

// The chat and the person of a message or a press.
Message MessageFrom(const Item& chat, const Item& from, const Item& sender_chat) {
  Message message;
  message.chat = std::to_string(NumberOf(chat, "id"));
  message.direct = TextOf(chat, "type") == "private";
  // Who writes in the name of a channel or a group is that.
  const bool is_person = NumberOf(sender_chat, "id") == 0;
  message.user = NumberOf(is_person ? from : sender_chat, "id");
  message.name = is_person ? TextOf(from, "first_name") : TextOf(sender_chat, "title");
  const std::string last = TextOf(from, "last_name");
  if (is_person && !last.empty()) message.name += " " + last;
  return message;
}

Message MessageOfPress(const Item& press, std::int64_t update) {
  const Item shown = ObjectOf(press.view(), "message");
  Message message = MessageFrom(ObjectOf(shown.view(), "chat"), ObjectOf(press.view(), "from"), {});
  // A press has no number in its chat; those of messages are positive.
  message.id = -update;
  message.reply_to = NumberOf(shown, "message_id");
  message.button = TextOf(press, "data");
  return message;
}

Message MessageOfText(const Item& said, std::string_view bot_name, std::int64_t bot_id) {
  Message message = MessageFrom(ObjectOf(said.view(), "chat"), ObjectOf(said.view(), "from"),
                                ObjectOf(said.view(), "sender_chat"));
  message.id = NumberOf(said, "message_id");
  message.at = NumberOf(said, "date");
  message.text = TextOf(said, "text");
  if (message.text.empty()) message.text = TextOf(said, "caption");
  const Item quoted = ObjectOf(said.view(), "reply_to_message");
  if (const std::int64_t to = NumberOf(quoted, "message_id"); to != 0) message.reply_to = to;
  const bool is_quoted = bot_id != 0 && NumberOf(ObjectOf(quoted.view(), "from"), "id") == bot_id;
  const std::string mention = fmt::format("@{}", bot_name);
  const bool is_named = !bot_name.empty() && message.text.find(mention) != std::string::npos;
  if (is_named) ReplaceAll(message.text, mention, "");
  message.direct = message.direct || is_quoted || is_named;
  return message;
}

}  // namespace

std::optional<TelegramUpdate> UpdateOf(const Item& update, std::string_view bot_name,
                                       std::int64_t bot_id) {
  TelegramUpdate result{.id = NumberOf(update, "update_id"), .message = {}, .callback = {}};
  if (!update.Find("update_id")) return std::nullopt;
  const Item press = ObjectOf(update.view(), "callback_query");
  const Item said = ObjectOf(update.view(), "message");
  result.callback = TextOf(press, "id");
  std::optional<Message> message;
  if (!result.callback.empty()) message = MessageOfPress(press, result.id);
  if (NumberOf(said, "message_id") != 0) {
    const bool is_bot = IsTrue(ObjectOf(said.view(), "from"), "is_bot");
    const bool has_sender = NumberOf(ObjectOf(said.view(), "sender_chat"), "id") != 0;
    if (!is_bot || has_sender) message = MessageOfText(said, bot_name, bot_id);
  }
  const bool is_press = message && !message->button.empty();
  const bool is_text = message && !message->text.empty() && message->at > 0;
  if ((is_press || is_text) && message->id != 0) {
    Fit(*message);
    result.message = std::move(message);
  }
  return result;
}

std::string SendMessageJson(const Message& message, const Reply& reply) {
  std::string json = fmt::format(R"({{"chat_id":{},"text":{})", message.chat, JsonText(reply.text));
  const std::int64_t to = message.button.empty() ? message.id : 0;
  if (to > 0) {
    json += fmt::format(
        R"(,"reply_parameters":{{"message_id":{},"allow_sending_without_reply":true}})", to);
  }
  if (!reply.buttons.empty()) {
    json += R"(,"reply_markup":{"inline_keyboard":[)";
    for (std::size_t i = 0; i < reply.buttons.size(); ++i) {
      json += fmt::format(R"({}[{{"text":{},"callback_data":{}}}])", i == 0 ? "" : ",",
                          JsonText(reply.buttons[i].label), JsonText(reply.buttons[i].does));
    }
    json += "]}";
  }
  return json + "}";
}

Fallible<TelegramApi> TelegramApi::Open(TelegramOptions options) {
  while (options.url.ends_with('/')) options.url.pop_back();
  if (!options.url.starts_with("https://") && !IsOnThisMachine(options.url)) {
    return std::unexpected("the address of the API must be https://…, or http:// on this machine");
  }
  const auto is_allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':' ||
           c == '_' || c == '-';
  };
  if (options.token.empty() || !std::ranges::all_of(options.token, is_allowed)) {
    return std::unexpected("the token must look like 123456:ABC-DEF");
  }
  return TelegramApi(std::move(options));
}

TelegramResult<std::string> TelegramApi::Introduce() {
  const auto answer = ResultOf(CallApi(options_, "getMe", "{}", kCallTimeout));
  if (!answer) return std::unexpected(answer.error());
  const Item me = ObjectOf(answer->view(), "result");
  bot_id_ = NumberOf(me, "id");
  bot_name_ = TextOf(me, "username");
  return bot_name_;
}

TelegramResult<std::vector<TelegramUpdate>> TelegramApi::Updates(std::int64_t offset,
                                                                 std::chrono::seconds wait) {
  const std::string json =
      fmt::format(R"({{"offset":{},"timeout":{},"allowed_updates":["message","callback_query"]}})",
                  offset, wait.count());
  const auto answer = ResultOf(CallApi(options_, "getUpdates", json, kCallTimeout + wait));
  if (!answer) return std::unexpected(answer.error());
  std::vector<TelegramUpdate> updates;
  const auto result = answer->Find("result");
  if (!result || result->type() != Type::kL) return updates;
  for (const ValueView value : result->List()) {
    if (value.type() != Type::kM) continue;
    auto update = UpdateOf(Item::FromView(value.Map()), bot_name_, bot_id_);
    if (update) updates.push_back(*std::move(update));
  }
  return updates;
}

Sent TelegramApi::Send(const Message& message, const Reply& reply) {
  const auto answer =
      CallApi(options_, "sendMessage", SendMessageJson(message, reply), kCallTimeout);
  if (!answer) {
    return {.state = answer.error().may_have_arrived ? Sent::State::kUnsure : Sent::State::kNotSent,
            .problem = answer.error().message};
  }
  if (IsTrue(answer->body, "ok")) {
    return {.state = Sent::State::kArrived,
            .message_id = NumberOf(ObjectOf(answer->body.view(), "result"), "message_id")};
  }
  Sent sent{.state = Sent::State::kRefused, .problem = answer->Problem()};
  if (answer->status == 429 || answer->status == 401) {
    sent.state = Sent::State::kNotSent;
    sent.retry_after = answer->RetryAfter();
  } else if (answer->status >= 500 || answer->status < 400) {
    sent.state = Sent::State::kUnsure;
  }
  return sent;
}

TelegramResult<void> TelegramApi::EndPress(const std::string& callback) {
  const auto answer = ResultOf(
      CallApi(options_, "answerCallbackQuery",
              fmt::format(R"({{"callback_query_id":{}}})", JsonText(callback)), kCallTimeout));
  if (!answer) return std::unexpected(answer.error());
  return {};
}

}  // namespace stator::systems::homeops
