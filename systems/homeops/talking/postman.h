// Between Telegram and the bot: takes updates, hands messages on, and brings answers back.
//
// An update is confirmed to Telegram only when its message is stored and its answer is out. After a
// crash Telegram delivers it again; what was done is known then, and so is what was sent.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_POSTMAN_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_POSTMAN_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "systems/homeops/talking/bot.h"
#include "systems/homeops/talking/outbox.h"
#include "systems/homeops/talking/telegram.h"

namespace stator::systems::homeops {

class Postman {
 public:
  // Waits, and returns true if it is time to stop.
  using Wait = std::function<bool(std::chrono::milliseconds)>;

  // All must outlive this.
  Postman(TelegramApi& api, Bot& bot, Entities& entities, BotLog log, Wait wait)
      : api_(api),
        bot_(bot),
        entities_(entities),
        outbox_(entities),
        log_(std::move(log)),
        wait_(std::move(wait)) {}

  // Works until it is time to stop. Fails if trying again cannot help.
  Fallible<void> Run(std::chrono::seconds poll);

  // Sends these answers, which may have arrived before. False: it is time to stop.
  bool SendAgain(const std::vector<Message>& messages);

 private:
  // One round: waits for updates and handles all that came. False: it is time to stop.
  Fallible<bool> Round(std::chrono::seconds poll);
  // False: it is time to stop, and the update is to be delivered again.
  bool Handle(const TelegramUpdate& update);
  bool HandleMessage(const Message& message);
  // Tries until it is sent, or cannot be.
  bool SendAnswerTo(const Message& message);
  // Waits longer from failure to failure. True: it is time to stop.
  bool WaitAfter(const std::string& problem, std::chrono::seconds least);
  void MeetChat(const std::string& chat);

  TelegramApi& api_;
  Bot& bot_;
  Entities& entities_;
  Outbox outbox_;
  BotLog log_;
  Wait wait_;
  std::int64_t offset_ = 0;
  std::chrono::milliseconds pause_{0};
  std::set<std::string> chats_;  // which have got their aliases
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_POSTMAN_H_
