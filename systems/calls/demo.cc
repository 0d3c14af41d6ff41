#include "systems/calls/demo.h"

#include <fmt/format.h>

#include "systems/calls/audit.h"
#include "systems/calls/storm.h"
#include "systems/program/program.h"
#include "systems/program/text.h"

namespace stator::systems::calls {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

// Monday morning, 2026-03-02T08:00:00Z.
constexpr TimeMs kMorning{std::chrono::milliseconds(1'772'438'400'000)};

class Demo {
 public:
  explicit Demo(Tables& tables) : tables_(tables), book_(tables.entities()) {}

  int Run() {
    tables_.clock().Set(kMorning);
    Schedule();
    Ask();
    Complete();
    Move();
    Storm();
    return failed_ ? kFailed : kDone;
  }

 private:
  static void Title(std::string_view text) { fmt::print("\n{}\n", text); }

  // The units since the last step.
  UsedUnits Step() {
    const UsedUnits now = tables_.entities().used();
    const UsedUnits step{.read = now.read - before_.read,
                         .write = now.write - before_.write,
                         .requests = now.requests - before_.requests};
    before_ = now;
    return step;
  }

  // A change that must succeed, and what it must cost.
  void Change(std::string_view what, const EntityResult<Call>& call, double units) {
    const double written = Step().write;
    if (!call || written != units) failed_ = true;
    fmt::print("  {:<52} {}\n", what,
               call ? fmt::format("{:>2} write units, version {}", written, call->version)
                    : "WRONG: " + call.error().message);
  }

  // A change that must be refused.
  void Refused(std::string_view what, const EntityResult<Call>& call, EntityErrorKind kind) {
    Step();
    const bool as_told = !call && call.error().kind == kind;
    failed_ = failed_ || !as_told;
    fmt::print("  {:<52} {}\n", what,
               as_told ? "refused: " + call.error().message : "WRONG: this must be refused");
  }

  void Answer(std::string_view what, const EntityResult<std::optional<Call>>& call,
              std::string_view wanted) {
    const double read = Step().read;
    const std::string id = call && *call ? (*call)->call_id : "nothing";
    failed_ = failed_ || id != wanted;
    fmt::print("  {:<52} {:<10} {} read units\n", what, id, read);
  }

  void Pages(std::string_view what, const EntityResult<CallPage>& page) {
    const double read = Step().read;
    if (!page) {
      failed_ = true;
      return;
    }
    std::string ids;
    for (const Call& call : page->calls) ids += (ids.empty() ? "" : ", ") + call.call_id;
    fmt::print("  {:<52} {}{}  ({} read units)\n", what, ids, page->cursor.empty() ? "" : " …",
               read);
  }

  void Schedule() {
    Title(
        "Ann and Ben schedule calls. Each is a transaction: the call, and a sentinel for its id.");
    const auto schedule = [&](const char* id, const char* user, const char* provider, hours in) {
      Change(fmt::format("{} with {} at {}", user, provider, ShortTime(kMorning + in)),
             book_.Schedule({.call_id = id,
                             .user_id = user,
                             .provider_id = provider,
                             .scheduled_for = kMorning + in}),
             7);
    };
    schedule("call-1", "ann", "dr-berg", hours(1));
    schedule("call-2", "ann", "dr-falk", hours(3));
    schedule("call-3", "ann", "dr-berg", hours(26));
    schedule("call-4", "ben", "dr-berg", hours(2));
    Refused("ben wants the id call-1 at another time",
            book_.Schedule({.call_id = "call-1",
                            .user_id = "ben",
                            .provider_id = "dr-falk",
                            .scheduled_for = kMorning + hours(9)}),
            EntityErrorKind::kNotUnique);
    fmt::print(
        "  (without unique ids a call would cost 4 write units: the table, and three indexes)\n");
  }

  void Ask() {
    Title("Six questions, one query each.");
    Pages("ann's calls, a page of two", book_.ReadTimeline("ann", Timeline::kAll, {.limit = 2}));
    Answer("the call with the id call-3", book_.Find("call-3"), "call-3");
    Pages("dr-berg's calls, newest first", book_.OfProvider("dr-berg"));
    Answer("ann's next call from 10:00 on", book_.Next("ann", kMorning + hours(2)), "call-2");
    Answer("ann's last completed call", book_.Last("ann"), "nothing");
    Pages("ann's upcoming calls", book_.ReadTimeline("ann", Timeline::kUpcoming));
  }

  void Complete() {
    Title("Time passes. A change of status moves the call between the timelines of its user.");
    tables_.clock().Advance(hours(5));
    Change("call-2 is completed at 13:00", book_.Complete("call-2"), 5);
    tables_.clock().Advance(minutes(30));
    Change("call-1 is completed at 13:30, though it came first", book_.Complete("call-1"), 5);
    Refused("call-1 is completed again", book_.Complete("call-1"), EntityErrorKind::kConflict);
    Answer("ann's last completed call, by scheduled time", book_.Last("ann"), "call-2");
    Pages("ann's completed calls", book_.ReadTimeline("ann", Timeline::kCompleted));
  }

  void Move() {
    Title("A new time or user is a new key: put and delete in one transaction.");
    const TimeMs at = kMorning + hours(50);
    Change("call-3 is moved to " + ShortTime(at), book_.Reschedule("call-3", at, 1), 10);
    Refused("somebody with an old copy moves it, too", book_.Reschedule("call-3", kMorning, 1),
            EntityErrorKind::kConflict);
    Change("call-3 goes to ben", book_.Reassign("call-3", "ben", 2), 10);
    Change("dr-falk takes call-3: one update", book_.ChangeProvider("call-3", "dr-falk", 3), 5);
    Pages("ben's upcoming calls", book_.ReadTimeline("ben", Timeline::kUpcoming));
    Pages("dr-falk's calls", book_.OfProvider("dr-falk"));
  }

  void Storm() {
    Title("A storm: 8 writers move, reassign and duplicate the same 12 calls for a second.");
    const auto report =
        RunStorm(book_, kMorning, {.duration = std::chrono::seconds(1), .calls = 12});
    if (!report || !report->problems.empty()) {
      failed_ = true;
      fmt::print("  WRONG: {}\n", report ? report->problems.front() : report.error().message);
      return;
    }
    fmt::print(
        "  {} changes were made, {} writers lost a race and were told, {} duplicates refused\n",
        report->changes(), report->conflicts, report->duplicates);
    const auto audit = AuditCalls(tables_);
    failed_ = failed_ || !audit || !audit->clean();
    if (!audit) return;
    fmt::print("  audit of {} calls and {} ids: {}\n", audit->calls, audit->sentinels,
               audit->clean() ? "nothing wrong" : audit->flaws.front());
  }

  Tables& tables_;
  CallBook book_;
  UsedUnits before_ = tables_.entities().used();
  bool failed_ = false;
};

}  // namespace

int RunDemo(Tables& tables) {
  const auto taken = CallBook(tables.entities()).Find("call-1");
  if (!taken) return Fail(taken.error().message);
  if (*taken) return Fail("the demo needs an empty book: give it a new --data or --prefix");
  return Demo(tables).Run();
}

}  // namespace stator::systems::calls
