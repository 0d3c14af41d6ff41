// schedule, complete, reschedule, reassign, change-provider, cancel.
#include <CLI/CLI.hpp>
#include <memory>

#include "systems/calls/answers.h"
#include "systems/calls/commands.h"
#include "systems/calls/time_text.h"

namespace stator::systems::calls {
namespace {

// The options of all changes; each command has its own.
struct ChangeOptions {
  std::string call;
  std::string value;
  std::optional<std::int64_t> version;
};

CLI::App* AddChange(CLI::App& app, const std::string& name, const std::string& what,
                    const std::shared_ptr<ChangeOptions>& options) {
  CLI::App* command = app.add_subcommand(name, what)->fallthrough();
  command->add_option("CALL", options->call, "The call's id")->required();
  command->add_option("--version", options->version,
                      "Only if the call still has this version; else it is a conflict");
  return command;
}

void AddSchedule(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("schedule", "Schedule a new call; its id must not be taken")
          ->fallthrough();
  const auto call = std::make_shared<NewCall>();
  const auto at = std::make_shared<std::string>();
  command->add_option("CALL", call->call_id, "Its id, unique among all calls")->required();
  command->add_option("--user", call->user_id, "Whose call it is")->required();
  command->add_option("--provider", call->provider_id, "Who is called")->required();
  command->add_option("--at", *at, "When: 2026-03-02T09:00:00Z, or +2h from now")->required();
  command->add_option("--notes", call->notes, "Anything");
  command->callback([=, &action] {
    action = [=](Program& program) {
      const auto time = ParseTime(*at, program.entities.Now());
      if (!time) return Misuse(time.error());
      call->scheduled_for = *time;
      return ShowChange("scheduled", program.book.Schedule(*call));
    };
  });
}

void AddComplete(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChangeOptions>();
  CLI::App* command = AddChange(app, "complete", "Mark a scheduled call as completed now", options);
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowChange("completed", program.book.Complete(options->call, options->version));
    };
  });
}

void AddReschedule(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChangeOptions>();
  CLI::App* command = AddChange(app, "reschedule", "Move a call to another time", options);
  command->add_option("--to", options->value, "When: 2026-03-02T09:00:00Z, or +2h from now")
      ->required();
  command->callback([=, &action] {
    action = [=](Program& program) {
      const auto time = ParseTime(options->value, program.entities.Now());
      if (!time) return Misuse(time.error());
      return ShowChange("rescheduled",
                        program.book.Reschedule(options->call, *time, options->version));
    };
  });
}

void AddReassign(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChangeOptions>();
  CLI::App* command = AddChange(app, "reassign", "Give a call to another user", options);
  command->add_option("--user", options->value, "To whom")->required();
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowChange("reassigned",
                        program.book.Reassign(options->call, options->value, options->version));
    };
  });
}

void AddChangeProvider(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChangeOptions>();
  CLI::App* command = AddChange(app, "change-provider", "Let another provider be called", options);
  command->add_option("--provider", options->value, "Who")->required();
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowChange(
          "changed", program.book.ChangeProvider(options->call, options->value, options->version));
    };
  });
}

void AddCancel(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ChangeOptions>();
  CLI::App* command = AddChange(app, "cancel", "Delete a call; its id is free again", options);
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowChange("cancelled", program.book.Cancel(options->call, options->version));
    };
  });
}

}  // namespace

void AddWriteCommands(CLI::App& app, Action& action) {
  AddSchedule(app, action);
  AddComplete(app, action);
  AddReschedule(app, action);
  AddReassign(app, action);
  AddChangeProvider(app, action);
  AddCancel(app, action);
}

}  // namespace stator::systems::calls
