// Telegram's Bot API, as far as the bot needs it: https://core.telegram.org/bots/api.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_TELEGRAM_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_TELEGRAM_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/homeops/memory/message.h"
#include "systems/homeops/talking/outbox.h"
#include "systems/homeops/talking/reply.h"
#include "systems/program/fallible.h"

namespace stator::systems::homeops {

struct TelegramOptions {
  std::string url = "https://api.telegram.org";
  std::string token;    // never printed
  std::string ca_file;  // empty: the system's certificates
  // How long the API waits for something to happen before it answers "nothing".
  std::chrono::seconds poll{10};
};

// Something that happened in one of the bot's chats.
struct TelegramUpdate {
  std::int64_t id = 0;
  // What was written, or a button that was pressed; a press has no time.
  std::optional<Message> message;
  std::string callback;  // the id of the press; empty: none
};

struct TelegramFailure {
  std::string message;      // for people; without the token
  bool is_lasting = false;  // trying again cannot help: a wrong token or address
  std::chrono::seconds retry_after{0};
};

template <class T>
using TelegramResult = std::expected<T, TelegramFailure>;

class TelegramApi {
 public:
  // Fails if the address or the token cannot be right. http:// is for this machine only: the token
  // is part of every address.
  static Fallible<TelegramApi> Open(TelegramOptions options);

  // Asks who the bot is; needed before updates are read, to know when it is spoken to.
  TelegramResult<std::string> Introduce();
  // What has happened since, from update `offset` on; earlier ones are forgotten by the server.
  TelegramResult<std::vector<TelegramUpdate>> Updates(std::int64_t offset,
                                                      std::chrono::seconds wait);
  Sent Send(const Message& message, const Reply& reply);
  // Ends the waiting of somebody who has pressed a button.
  TelegramResult<void> EndPress(const std::string& callback);

 private:
  explicit TelegramApi(TelegramOptions options) : options_(std::move(options)) {}

  TelegramOptions options_;
  std::int64_t bot_id_ = 0;
  std::string bot_name_;  // without @
};

// What an update of the API says; nullopt if it is none. `bot_name` and `bot_id` tell whether the
// bot is spoken to in a group. What other bots write has no message.
std::optional<TelegramUpdate> UpdateOf(const Item& update, std::string_view bot_name,
                                       std::int64_t bot_id);

// The body of sendMessage.
std::string SendMessageJson(const Message& message, const Reply& reply);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_TELEGRAM_H_
