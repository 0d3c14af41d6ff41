// A message of a chat, as a line of a log and as a record.
#ifndef STATOR_SYSTEMS_HOMEOPS_MESSAGE_H_
#define STATOR_SYSTEMS_HOMEOPS_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/item.h"
#include "systems/homeops/classifier.h"
#include "systems/program/fallible.h"

namespace stator::systems::homeops {

struct Message {
  std::string chat;
  std::int64_t id = 0;
  std::int64_t user = 0;
  std::string name;     // of the user
  std::int64_t at = 0;  // seconds since the epoch
  std::string text;
  std::optional<std::int64_t> reply_to;
  std::string expected;  // generated logs: the activity that the writer had in mind, or "none"
};

// {"chatId": "hemma", "messageId": 1, "userId": 1, "userName": "Martin", "timestamp": 1772265600,
//  "text": "Har diskat"}, and "replyTo".
Fallible<Message> MessageOfLine(std::string_view json);
std::string LineOf(const Message& message);

// As the entity Message.
Item KeyOf(const Message& message);
Item RecordOf(const Message& message);

// What was decided about a stored message; nullopt if nothing was yet.
std::optional<Decision> DecisionOf(const Item& record);

// A ULID made of the message's time and name, so that a repeated message gives the same one.
std::string ActivityIdOf(const Message& message);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MESSAGE_H_
