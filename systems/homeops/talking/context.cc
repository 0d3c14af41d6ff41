#include "systems/homeops/talking/context.h"

#include <algorithm>

#include "systems/homeops/understanding/intent.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

// How many messages may lie between what the bot asked and an answer that does not quote it.
constexpr std::size_t kAskedWithin = 4;
constexpr int kPagesSearched = 5;

bool IsSaid(const Item& record) { return TextOf(record, "kind") == "said"; }

bool CanBeCorrected(const Item& record) {
  const auto decision = DecisionOf(record);
  if (!decision || record.Find("undoneAt")) return false;
  return decision->is_done() || (decision->kind == "none" && !decision->phrase.empty());
}

// The decision of the button that this text presses, or of the activity that it names.
std::optional<Decision> PressedBy(const Message& message, const std::vector<Button>& buttons,
                                  const Vocabulary& vocabulary) {
  const std::string text = Normalised(message.text);
  for (const Button& button : buttons) {
    if (Normalised(button.label) == text) return DecisionOfButton(button.does);
  }
  const auto intent = IntentOf(message, vocabulary);
  for (const Button& button : buttons) {
    auto decision = DecisionOfButton(button.does);
    if (!decision) continue;
    const bool is_yes_or_no = decision->kind == "yes" || decision->kind == "no";
    if (is_yes_or_no && intent && intent->kind == decision->kind) return decision;
    if (decision->kind != "clarification") continue;
    const std::string named = vocabulary.CanonicalOf(text);
    if (named.empty()) continue;
    decision->meant = named;
    return decision;
  }
  return std::nullopt;
}

}  // namespace

bool IsUndoable(const Item& record) {
  const auto decision = DecisionOf(record);
  if (!decision || record.Find("undoneAt")) return false;
  if (decision->is_done()) return true;
  return decision->kind != "undo" && (record.Find("actedAt") || record.Find("taughtAt"));
}

EntityResult<std::optional<Item>> Context::Record(const Message& near, std::int64_t id) {
  return entities_.Get("Message", Item{{"chatId", near.chat}, {"messageId", id}}, {.strong = true});
}

EntityResult<std::optional<Told>> Context::Find(const Message& near, std::int64_t id) {
  auto record = Record(near, id);
  if (!record) return std::unexpected(record.error());
  auto decision = *record ? DecisionOf(**record) : std::nullopt;
  if (!decision) return std::nullopt;
  return Told{MessageOf(**record), *std::move(decision), **std::move(record)};
}

EntityResult<std::vector<Item>> Context::Recent(const Message& message, int pages) {
  std::vector<Item> recent;
  PageOptions options;
  for (int i = 0; i < pages; ++i) {
    auto page = entities_.Query("recent", {{"chat", AttributeValue(message.chat)}}, options);
    if (!page) return std::unexpected(page.error());
    for (Item& item : page->items) {
      if (NumberOf(item, "messageId") != message.id) recent.push_back(std::move(item));
    }
    options.cursor = page->cursor;
    if (options.cursor.empty()) break;
  }
  return recent;
}

EntityResult<std::optional<Item>> Context::AskedBefore(const Message& message) {
  if (message.reply_to) {
    const auto quoted = Record(message, *message.reply_to);
    if (!quoted) return std::unexpected(quoted.error());
    if (!*quoted || !IsSaid(**quoted)) return std::nullopt;
    return Record(message, NumberOf(**quoted, "replyTo"));
  }
  const auto recent = Recent(message);
  if (!recent) return std::unexpected(recent.error());
  for (std::size_t i = 0; i < std::min(kAskedWithin, recent->size()); ++i) {
    if (!IsSaid((*recent)[i])) continue;
    auto asked = Record(message, NumberOf((*recent)[i], "replyTo"));
    // In a group the bot's question is for the one whom it answered.
    if (!asked || !*asked || NumberOf(**asked, "userId") == message.user) return asked;
    return std::nullopt;
  }
  return std::nullopt;
}

EntityResult<std::optional<Decision>> Context::AnswerIn(const Message& message,
                                                        const Vocabulary& vocabulary) {
  const auto asked = AskedBefore(message);
  if (!asked) return std::unexpected(asked.error());
  if (!*asked) return std::nullopt;
  return PressedBy(message, ButtonsOf(**asked), vocabulary);
}

EntityResult<std::int64_t> Context::AboutOf(const Message& message, const Decision& decision) {
  const auto fits = [&](const Item& record) {
    if (decision.kind == "undo") return IsUndoable(record);
    if (decision.kind == "clarification") return CanBeCorrected(record);
    return DecisionOf(record).has_value();
  };
  if (message.reply_to) {
    auto quoted = Record(message, *message.reply_to);
    if (!quoted) return std::unexpected(quoted.error());
    if (*quoted && IsSaid(**quoted)) quoted = Record(message, NumberOf(**quoted, "replyTo"));
    if (!quoted) return std::unexpected(quoted.error());
    return *quoted && fits(**quoted) ? NumberOf(**quoted, "messageId") : 0;
  }
  if (decision.kind != "undo" && decision.kind != "clarification") return 0;
  const auto recent = Recent(message, kPagesSearched);
  if (!recent) return std::unexpected(recent.error());
  for (const Item& record : *recent) {
    if (NumberOf(record, "userId") != message.user || IsSaid(record)) continue;
    if (fits(record)) return NumberOf(record, "messageId");
  }
  return 0;
}

}  // namespace stator::systems::homeops
