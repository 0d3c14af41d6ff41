// Answers on their way out. An answer is an attribute of the message that it answers:
//
//   pending ──► sending ──► sent
//      ▲           ├──────► failed   the chat does not take it
//      └───────────┤
//    surely not    └──────► unsure   nobody can say whether it arrived
//    arrived
//
// Whoever sends it claims it first. A chat cannot be asked whether it has got a message, so an
// answer whose sender died while sending is not sent again: no answer comes twice, unless a person
// who has looked wants it.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_OUTBOX_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_OUTBOX_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stator/endpoint.h"
#include "stator/entity.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/talking/reply.h"

namespace stator::systems::homeops {

struct Sent {
  enum class State : std::uint8_t {
    kArrived,
    kRefused,  // the chat does not take it, and will not
    kUnsure,   // it may have arrived
    kNotSent,  // it has surely not arrived, and may be sent again
  };
  State state = State::kNotSent;
  std::int64_t message_id = 0;          // of the answer in the chat
  std::string problem;                  // for people
  std::chrono::seconds retry_after{0};  // kNotSent: what the chat asked for
};

using SendAnswer = std::function<Sent(const Message& message, const Reply& reply)>;

class Outbox {
 public:
  explicit Outbox(Entities& entities) : entities_(entities) {}

  // Sends the answer of a message, if it has one that is still to be sent. kNotSent: it is still
  // there, to be tried again later. An answer that needs no sending has arrived.
  EntityResult<Sent> Deliver(const Message& message, const SendAnswer& send);
  // Makes an answer that is unsure one that is to be sent; it may arrive twice then. Others stay.
  EntityResult<void> Reopen(const Message& message);

 private:
  EntityResult<Item> MoveTo(const Message& message, std::string_view from, std::string_view to,
                            std::int64_t answer_id = 0);
  // The bot's own words are part of the chat, so that people can answer them.
  EntityResult<void> Keep(const Message& message, const Reply& reply, std::int64_t id);

  Entities& entities_;
};

// The records of messages whose answers have not surely arrived, by chat and number. Reads the whole
// table: for people who look.
Result<std::vector<Item>> OpenAnswers(Endpoint& endpoint, const std::string& table_prefix);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_OUTBOX_H_
