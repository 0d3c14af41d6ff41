// The bot on a terminal, or between two pipes: each line is answered when it comes.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "systems/homeops/talking/bot.h"
#include "systems/homeops/talking/outbox.h"

namespace stator::systems::homeops {

struct ChatOptions {
  std::string chat = "hemma";
  std::int64_t user = 1;
  std::string name = "jag";
};

class Chat {
 public:
  // `bot` and `entities` must outlive this. `print` gets one answer at a time, of one or more lines.
  Chat(Bot& bot, Entities& entities, ChatOptions options,
       std::function<void(const std::string& text)> print)
      : bot_(bot),
        entities_(entities),
        outbox_(entities),
        options_(std::move(options)),
        print_(std::move(print)) {}

  // What one line says: the text of this user; the number of a button below the last answer; or,
  // from a brace on, a message of anybody, as in logs. Fails if it was not taken.
  EntityResult<void> Take(const std::string& line);

 private:
  EntityResult<Message> MessageIn(const std::string& line);
  EntityResult<std::int64_t> NextId(const std::string& chat);
  Sent Print(const Message& message, const Reply& reply);

  Bot& bot_;
  Entities& entities_;
  Outbox outbox_;
  ChatOptions options_;
  std::function<void(const std::string& text)> print_;
  std::vector<Button> buttons_;  // below the last answer
  std::int64_t answered_ = 0;    // its number
  std::string seeded_;           // the chat that has got its aliases
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_H_
