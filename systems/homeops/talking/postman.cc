#include "systems/homeops/talking/postman.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr std::chrono::milliseconds kPollPauseMin{200};
constexpr std::chrono::milliseconds kPollPauseMax{30'000};

}  // namespace

Fallible<void> Postman::Run(std::chrono::seconds poll) {
  while (true) {
    TRY(const bool go_on, Round(poll));
    if (!go_on) break;
  }
  // Confirms what was handled last, so that it is not delivered again.
  if (offset_ != 0) (void)api_.Updates(offset_, std::chrono::seconds(0));
  return {};
}

bool Postman::WaitAfter(const std::string& problem, std::chrono::seconds least) {
  pause_ = std::clamp(pause_ * 2, kPollPauseMin, kPollPauseMax);
  const auto pause = std::max<std::chrono::milliseconds>(pause_, least);
  log_(fmt::format("{}; trying again in {:.1f} s", problem, double(pause.count()) / 1000));
  return wait_(pause);
}

Fallible<bool> Postman::Round(std::chrono::seconds poll) {
  const auto updates = api_.Updates(offset_, poll);
  if (!updates) {
    if (updates.error().is_lasting) return std::unexpected(updates.error().message);
    return !WaitAfter(updates.error().message, updates.error().retry_after);
  }
  pause_ = {};
  for (const TelegramUpdate& update : *updates) {
    if (!Handle(update)) return false;
    offset_ = update.id + 1;
  }
  return !wait_(std::chrono::milliseconds(0));
}

bool Postman::Handle(const TelegramUpdate& update) {
  if (update.message) {
    Message message = *update.message;
    if (message.at == 0) message.at = SecondsOf(entities_.Now());
    MeetChat(message.chat);
    if (!HandleMessage(message)) return false;
  }
  if (!update.callback.empty()) {
    // Too old or answered before: nothing is lost.
    if (auto ended = api_.EndPress(update.callback); !ended) log_(ended.error().message);
  }
  return true;
}

bool Postman::HandleMessage(const Message& message) {
  while (true) {
    const auto outcome = bot_.Handle(message);
    if (outcome && outcome->reply.text.empty()) return true;
    if (outcome) break;
    if (WaitAfter(
            fmt::format("message {} of {}: {}", message.id, message.chat, outcome.error().message),
            std::chrono::seconds(0))) {
      return false;
    }
  }
  return SendAnswerTo(message);
}

bool Postman::SendAnswerTo(const Message& message) {
  while (true) {
    const auto sent = outbox_.Deliver(
        message, [this](const Message& to, const Reply& reply) { return api_.Send(to, reply); });
    const std::string problem = sent ? sent->problem : sent.error().message;
    const bool is_over = sent && sent->state != Sent::State::kNotSent;
    if (is_over) pause_ = {};
    if (is_over && problem.empty()) return true;
    const std::string what =
        fmt::format("the answer to message {} of {}: {}", message.id, message.chat, problem);
    if (is_over) {
      log_(what);
      return true;
    }
    const auto least = sent ? sent->retry_after : std::chrono::seconds(0);
    if (WaitAfter(what, least)) return false;
  }
}

bool Postman::SendAgain(const std::vector<Message>& messages) {
  for (const Message& message : messages) {
    if (auto reopened = outbox_.Reopen(message); !reopened) {
      log_(fmt::format("the answer to message {} of {}: {}", message.id, message.chat,
                       reopened.error().message));
      continue;
    }
    if (!SendAnswerTo(message)) return false;
  }
  return true;
}

void Postman::MeetChat(const std::string& chat) {
  if (!chats_.insert(chat).second) return;
  // Without them the built-in words do.
  if (auto loaded = bot_.aliases().LoadSeeds(chat); !loaded) log_(loaded.error().message);
}

}  // namespace stator::systems::homeops
