#include "systems/homeops/upkeep/lost_deeds.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "systems/homeops/memory/recorder.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"

namespace stator::systems::homeops {
namespace {

constexpr const char* kMessages = "homeops-messages";

Error ErrorOf(const EntityError& error) {
  return error.cause ? *error.cause : Error::InternalServerError(error.message);
}

// The message with its deeds; nullopt if it tells of none, or none that stands.
std::optional<Told> ToldBy(const Item& record) {
  auto decision = DecisionOf(record);
  if (!decision || !decision->is_done() || record.Find("undoneAt")) return std::nullopt;
  return Told{MessageOf(record), *std::move(decision), record};
}

class DeedMender {
 public:
  DeedMender(Endpoint& endpoint, Model model, const MendOptions& options)
      : endpoint_(endpoint),
        options_(options),
        entities_(endpoint, std::move(model), {.table_prefix = options.table_prefix}),
        recorder_(entities_),
        people_(entities_) {}

  Result<MendReport> Run() {
    const std::string table = options_.table_prefix + kMessages;
    const auto described = endpoint_.DescribeTable({.table_name = table});
    if (!described && described.error().code() == ErrorCode::kResourceNotFound) return report_;
    if (!described) return std::unexpected(described.error());
    ScanRequest request{.table_name = table, .consistent_read = true};
    do {
      const auto page = endpoint_.Scan(request);
      if (!page) return std::unexpected(page.error());
      std::vector<Told> told;
      for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
        ++report_.read;
        if (auto one = ToldBy(Item::FromView((*page->items)[i]))) told.push_back(*std::move(one));
      }
      if (options_.progress) {
        options_.progress(kMessages, report_.read, described->table.item_count);
      }
      if (auto looked = Look(told); !looked) return std::unexpected(ErrorOf(looked.error()));
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    return report_;
  }

 private:
  EntityResult<void> Look(const std::vector<Told>& told) {
    std::vector<Item> keys;
    for (const Told& one : told) {
      for (std::size_t i = 0; i < one.decision.deeds.size(); ++i) {
        keys.push_back(ActivityKey(one.message, i));
      }
    }
    const auto saved = entities_.GetMany("Activity", keys, {.strong = true});
    if (!saved) return std::unexpected(saved.error());
    std::set<std::pair<std::string, std::string>> there;
    for (const Item& item : *saved)
      there.emplace(TextOf(item, "chatId"), TextOf(item, "activityId"));
    for (const Told& one : told) {
      for (std::size_t i = 0; i < one.decision.deeds.size(); ++i) {
        if (there.contains({one.message.chat, ActivityIdOf(one.message, i)})) continue;
        if (auto mended = Mend(KeyOf(one.message)); !mended) return mended;
        break;
      }
    }
    return {};
  }

  // A bot may have been at it when the message was read: looks again, at both.
  EntityResult<void> Mend(const Item& key) {
    const auto record = entities_.Get("Message", key, {.strong = true});
    if (!record) return std::unexpected(record.error());
    const auto told = *record ? ToldBy(**record) : std::nullopt;
    if (!told) return {};
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < told->decision.deeds.size(); ++i) {
      const auto saved = entities_.Get("Activity", ActivityKey(told->message, i), {.strong = true});
      if (!saved) return std::unexpected(saved.error());
      if (!*saved) lost.push_back(i);
    }
    if (lost.empty()) return {};
    Note(told->message);
    return options_.dry_run ? EntityResult<void>() : Replay(*told, lost);
  }

  EntityResult<void> Replay(const Told& told, const std::vector<std::size_t>& lost) {
    auto people = people_.Of(told.message.chat);
    if (!people) return std::unexpected(people.error());
    for (const std::size_t deed : lost) {
      EntityTransaction unless_undone = entities_.Begin();
      unless_undone.Check("Message", KeyOf(told.message), {.only_if = "undoneAt missing"});
      unless_undone.Create("Activity", ActivityOf(told.message, told.decision, deed, *people));
      const auto saved = unless_undone.Commit();
      if (saved || saved.error().kind == EntityErrorKind::kExists) continue;
      if (IsOvertaken(saved.error())) return {};
      return saved;
    }
    const Lesson lesson = recorder_.Learn(told.message, told.decision, told.record);
    if (!lesson.failures.empty()) return std::unexpected(lesson.failures.front().error);
    ++report_.mended;
    return {};
  }

  void Note(const Message& message) {
    ItemProblem& problem =
        report_
            .problems[fmt::format("{}{}: what was done was decided, and its activity never saved",
                                  options_.table_prefix, kMessages)];
    if (problem.count++ == 0) problem.example = JsonOfItem(KeyOf(message).view());
  }

  Endpoint& endpoint_;
  const MendOptions& options_;
  Entities entities_;
  Recorder recorder_;
  People people_;
  MendReport report_;
};

}  // namespace

Result<MendReport> MendLostDeeds(Endpoint& endpoint, const MendOptions& options) {
  auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(Error::InternalServerError(model.error()));
  return DeedMender(endpoint, *std::move(model), options).Run();
}

}  // namespace stator::systems::homeops
