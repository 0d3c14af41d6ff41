#include "systems/homeops/talking/outbox.h"

#include <algorithm>

#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {

EntityResult<Item> Outbox::MoveTo(const Message& message, std::string_view from,
                                  std::string_view to, std::int64_t answer_id) {
  Change change{.set = {{"answerState", AttributeValue(to)}}};
  if (answer_id != 0) change.set.emplace_back("answerId", AttributeValue(answer_id));
  return entities_.Update(
      "Message", KeyOf(message), change,
      {.only_if = "answerState = $from", .parameters = {{"from", AttributeValue(from)}}});
}

EntityResult<void> Outbox::Keep(const Message& message, const Reply& reply, std::int64_t id) {
  Item said{{"chatId", message.chat}, {"messageId", id},         {"userId", 0},
            {"userName", "homeops"},  {"timestamp", message.at}, {"text", reply.text},
            {"replyTo", message.id},  {"kind", "said"}};
  const auto kept = entities_.Create("Message", said);
  if (!kept && kept.error().kind != EntityErrorKind::kExists) return std::unexpected(kept.error());
  return {};
}

EntityResult<void> Outbox::Reopen(const Message& message) {
  // Its sender may have died without anybody noticing.
  for (const char* from : {"sending", "unsure"}) {
    const auto reopened = MoveTo(message, from, "pending");
    if (!reopened && !IsOvertaken(reopened.error())) return std::unexpected(reopened.error());
  }
  return {};
}

EntityResult<Sent> Outbox::Deliver(const Message& message, const SendAnswer& send) {
  const auto record = entities_.Get("Message", KeyOf(message), {.strong = true});
  if (!record) return std::unexpected(record.error());
  const std::string state = *record ? TextOf(**record, "answerState") : std::string();
  if (state == "sending") {
    const auto left = MoveTo(message, "sending", "unsure");
    if (!left && !IsOvertaken(left.error())) return std::unexpected(left.error());
    return Sent{.state = Sent::State::kUnsure, .problem = "its sender died while sending it"};
  }
  if (state != "pending") return Sent{.state = Sent::State::kArrived};
  const auto claimed = MoveTo(message, "pending", "sending");
  if (!claimed) {
    // Another sender has it.
    if (IsOvertaken(claimed.error())) return Sent{.state = Sent::State::kArrived};
    return std::unexpected(claimed.error());
  }
  const Reply reply{TextOf(**record, "answer"), ButtonsOf(**record)};
  Sent sent = send(message, reply);
  std::string_view next = "sent";
  if (sent.state == Sent::State::kRefused) next = "failed";
  if (sent.state == Sent::State::kUnsure) next = "unsure";
  if (sent.state == Sent::State::kNotSent) next = "pending";
  const auto moved = MoveTo(message, "sending", next, sent.message_id);
  if (!moved) return std::unexpected(moved.error());
  if (sent.state == Sent::State::kArrived && sent.message_id != 0) {
    if (auto kept = Keep(message, reply, sent.message_id); !kept) {
      return std::unexpected(kept.error());
    }
  }
  return sent;
}

Result<std::vector<Item>> OpenAnswers(Endpoint& endpoint, const std::string& table_prefix) {
  ScanRequest request{.table_name = table_prefix + "homeops-messages",
                      .filter_expression = "answerState IN (:pending, :sending, :unsure, :failed)",
                      .expression_attribute_values = ValueMap{{":pending", "pending"},
                                                              {":sending", "sending"},
                                                              {":unsure", "unsure"},
                                                              {":failed", "failed"}},
                      .consistent_read = true};
  std::vector<Item> records;
  do {
    const auto page = endpoint.Scan(request);
    if (!page) return std::unexpected(page.error());
    for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
      records.push_back(Item::FromView((*page->items)[i]));
    }
    request.exclusive_start_key = page->last_evaluated_key;
  } while (request.exclusive_start_key);
  std::ranges::sort(records, {}, [](const Item& record) {
    return std::pair(TextOf(record, "chatId"), NumberOf(record, "messageId"));
  });
  return records;
}

}  // namespace stator::systems::homeops
