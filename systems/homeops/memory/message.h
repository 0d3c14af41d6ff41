// A message of a chat, as a line of a log and as a record.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_MESSAGE_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/item.h"
#include "systems/homeops/understanding/classifier.h"
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
  bool direct = false;   // said to the bot alone: it always answers
  std::string button;    // what the button does that was pressed; then there is no text
  std::string expected;  // generated logs: the activity that the writer had in mind, or "none"
};

// What the bot took a message for. It is written to the message before anything is done with it.
struct Decision {
  // none; chore, recovery: deeds (the word is that of the first one); unclear: deeds of somebody
  // whose name several people have; question; clarification: an activity was meant; yes, no, choice
  // (of a person); activity, alias: something is taught; undo; start; help; said: the bot's words.
  std::string kind = "none";
  std::vector<Deed> deeds;
  std::string meant;       // clarification, activity, alias: the activity
  std::string phrase;      // none: words for something that is not known; alias: the words taught
  std::int64_t about = 0;  // the message that it answers; 0: none
  std::size_t deed = 0;    // clarification: which of that message's deeds, from 1; 0: not said
  std::int64_t user = 0;   // choice: who is meant

  bool is_done() const { return kind == "chore" || kind == "recovery"; }
  // Of the first deed, or what was meant.
  const std::string& activity() const { return deeds.empty() ? meant : deeds.front().activity; }
};

// {"chatId": "hemma", "messageId": 1, "userId": 1, "userName": "Martin", "timestamp": 1772265600,
//  "text": "Har diskat"}, and "replyTo". Ids may be numbers or text of any kind, and names as long
// as they like: what no key can hold is replaced by something that can, always the same.
Fallible<Message> MessageOfLine(std::string_view json);
// At most so many bytes, without cutting a character in two.
std::string Shortened(std::string text, std::size_t bytes_max);
// Makes chat, name and text such as keys and records can hold them.
void Fit(Message& message);
std::string LineOf(const Message& message);

// As the entity Message.
Item KeyOf(const Message& message);
Item RecordOf(const Message& message);

Message MessageOf(const Item& record);

// What was decided about a stored message; nullopt if nothing was yet.
std::optional<Decision> DecisionOf(const Item& record);
// The attributes that say so.
std::vector<std::pair<std::string, AttributeValue>> AttributesOf(const Decision& decision);

// A ULID made of the message's time and name, so that a repeated message gives the same one.
// `deed` is its place among those of the message.
std::string ActivityIdOf(const Message& message, std::size_t deed = 0);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_MESSAGE_H_
