#include "systems/calls/replay.h"

#include <fmt/format.h>

#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::calls {
namespace {

// The outer error is what is wrong with the line, the inner one what the book says.
using Outcome = Fallible<EntityResult<Call>>;

class Line {
 public:
  explicit Line(Item item) : item_(std::move(item)) {}

  Outcome CarryOut(CallBook& book) const {
    const auto what = Text("do");
    const auto call = Text("call");
    if (!what || !call) return std::unexpected("it needs `do` and `call`");
    if (*what == "schedule") return Schedule(book, *call);
    const auto version = item_.Find("version");
    const auto expected =
        version && version->type() == Type::kN ? version->AsInt64() : std::nullopt;
    if (!expected)
      return std::unexpected("it needs `version`, the one that the change starts from");
    if (*what == "complete") return book.Complete(*call, expected);
    if (*what == "reschedule") {
      const auto to = Time("to");
      if (!to) return std::unexpected(to.error());
      return book.Reschedule(*call, *to, expected);
    }
    if (*what == "reassign") {
      const auto user = Text("user");
      if (!user) return std::unexpected("it needs `user`");
      return book.Reassign(*call, *user, expected);
    }
    if (*what == "provider") {
      const auto provider = Text("provider");
      if (!provider) return std::unexpected("it needs `provider`");
      return book.ChangeProvider(*call, *provider, expected);
    }
    return std::unexpected(
        fmt::format("`{}` is none of schedule, complete, reschedule, reassign, provider", *what));
  }

  // True if the change has happened before: the call has a later version than the change starts
  // from.
  bool IsBehind(CallBook& book, const EntityError& error) const {
    if (error.kind == EntityErrorKind::kNotUnique || error.kind == EntityErrorKind::kExists) {
      return true;
    }
    if (error.kind != EntityErrorKind::kConflict) return false;
    const auto found = book.Find(*Text("call"));
    const auto version = item_.Find("version");
    return found && *found && version && (*found)->version > version->AsInt64().value_or(0);
  }

 private:
  Outcome Schedule(CallBook& book, std::string_view call) const {
    const auto user = Text("user");
    const auto provider = Text("provider");
    const auto at = Time("at");
    if (!user || !provider) return std::unexpected("it needs `user` and `provider`");
    if (!at) return std::unexpected(at.error());
    return book.Schedule({.call_id = std::string(call),
                          .user_id = std::string(*user),
                          .provider_id = std::string(*provider),
                          .scheduled_for = *at,
                          .notes = std::string(Text("notes").value_or(""))});
  }

  std::optional<std::string_view> Text(std::string_view name) const {
    const auto value = item_.Find(name);
    return value && value->type() == Type::kS ? std::optional(value->S()) : std::nullopt;
  }

  // Only absolute times, so that a journal means the same whenever it is played.
  Fallible<TimeMs> Time(std::string_view name) const {
    const auto text = Text(name);
    const auto time = text ? ParseTime(*text) : std::nullopt;
    if (!time) return std::unexpected(fmt::format("it needs `{}` as 2026-03-02T09:00:00Z", name));
    return *time;
  }

  Item item_;
};

}  // namespace

Fallible<ReplayReport> Replay(CallBook& book, std::istream& journal) {
  ReplayReport report;
  std::string text;
  for (std::int64_t number = 1; std::getline(journal, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto fail = [&](std::string_view why) {
      return std::unexpected(fmt::format("line {}: {}", number, why));
    };
    auto item = ItemOfJson(text);
    if (!item) return fail(item.error());
    const Line line(*std::move(item));
    const Outcome outcome = line.CarryOut(book);
    if (!outcome) return fail(outcome.error());
    if (*outcome) {
      ++report.done;
    } else if (line.IsBehind(book, outcome->error())) {
      ++report.skipped;
    } else {
      return fail(outcome->error().message);
    }
  }
  return report;
}

}  // namespace stator::systems::calls
