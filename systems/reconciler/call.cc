#include "systems/reconciler/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::reconciler {
namespace {

bool HasAudio(ItemView call) {
  const auto value = call.Find("AudioReceived");
  return value && value->type() == Type::kBool && value->Bool();
}

using Problem = std::optional<std::string>;

Problem ReadText(std::string_view name, ValueView value, std::string& out) {
  if (value.type() == Type::kNull) return fmt::format("{} is null: leave it out instead", name);
  if (value.type() != Type::kS || value.S().empty()) return fmt::format("{} is not text", name);
  out = value.S();
  return std::nullopt;
}

Problem ReadTime(std::string_view name, ValueView value, std::optional<std::string>& out) {
  std::string text;
  if (Problem problem = ReadText(name, value, text)) return problem;
  const auto time = ParseTime(text);
  if (!time) return fmt::format("{} is `{}`, not a time like 2026-02-28T08:00:00Z", name, text);
  out = SortableTime(*time);
  return std::nullopt;
}

Problem ReadStatus(ValueView value, std::optional<std::string>& out) {
  std::string text;
  if (Problem problem = ReadText("ProcessingStatus", value, text)) return problem;
  if (std::ranges::find(kStatuses, text) == std::end(kStatuses)) {
    return fmt::format("ProcessingStatus is `{}`, which is none of {}", text,
                       fmt::join(kStatuses, ", "));
  }
  out = std::move(text);
  return std::nullopt;
}

Problem ReadMember(std::string_view name, ValueView value, CallReport& report) {
  if (name == "TenantId") return ReadText(name, value, report.tenant);
  if (name == "CallId") return ReadText(name, value, report.call);
  if (name == "CallDateTime") return ReadTime(name, value, report.call_time);
  if (name == "UpdatedAt") return ReadTime(name, value, report.updated_at);
  if (name == "ProcessingStatus") return ReadStatus(value, report.status);
  if (name != "AudioReceived") return fmt::format("a report has no `{}`", name);
  if (value.type() != Type::kBool) return "AudioReceived is neither true nor false";
  report.audio_received = value.Bool();
  return std::nullopt;
}

ReportDecision NewCall(const CallReport& report) {
  if (!report.call_time) {
    return {.kind = ReportDecision::Kind::kRefuse,
            .problem = "the first report of a call needs CallDateTime"};
  }
  Item item{{"TenantId", report.tenant},
            {"CallId", report.call},
            {"CallDateTime", *report.call_time},
            {"Revision", 1}};
  if (report.audio_received)
    item.Set("AudioReceived", AttributeValue::Bool(*report.audio_received));
  if (report.status) item.Set("ProcessingStatus", AttributeValue(*report.status));
  if (report.updated_at) item.Set("UpdatedAt", AttributeValue(*report.updated_at));
  if (!report.audio_received) item.Set("AudioReceived", AttributeValue::Bool(false));
  if (!report.status) item.Set("ProcessingStatus", AttributeValue("PENDING"));
  return {.kind = ReportDecision::Kind::kCreate, .item = Placed(std::move(item))};
}

// What the report says that the stored call does not.
std::vector<std::pair<std::string, AttributeValue>> Differences(const Item& stored,
                                                                const CallReport& report) {
  std::vector<std::pair<std::string, AttributeValue>> news;
  const auto compare = [&](const char* name, const AttributeValue& value) {
    if (stored.Find(name) != value.view()) news.emplace_back(name, value);
  };
  if (report.call_time) compare("CallDateTime", AttributeValue(*report.call_time));
  if (report.audio_received) compare("AudioReceived", AttributeValue::Bool(*report.audio_received));
  if (report.status) compare("ProcessingStatus", AttributeValue(*report.status));
  return news;
}

}  // namespace

Item KeyOf(ItemView call) {
  return Item{{"TenantId", TextOf(call, "TenantId")}, {"CallId", TextOf(call, "CallId")}};
}

std::string ReportedStatus(ItemView call) {
  std::string status = TextOf(call, "ProcessingStatus");
  if (status == "SUCCESS" && HasAudio(call)) return std::string(kOk);
  return status.empty() ? "PENDING" : status;
}

Item Placed(Item call) {
  call.Set("ReconStatus", AttributeValue(ReportedStatus(call.view())));
  call.Set("ReconTime", AttributeValue(TextOf(call, "CallDateTime")));
  return call;
}

EntryPlace PlaceOf(ItemView entry) {
  const std::string partition = TextOf(entry, "GSI_Recon_PK");
  const std::string sort = TextOf(entry, "GSI_Recon_SK");
  // STATUS#PENDING or STATUS#PENDING#3; 2026-02-28T08:00:00.000Z#acme
  const std::size_t from = std::min(partition.find('#'), partition.size() - 1) + 1;
  return {.status = partition.substr(from, partition.find('#', from) - from),
          .time = sort.substr(0, sort.find('#'))};
}

std::vector<std::string> ReasonsOf(ItemView call) {
  std::vector<std::string> reasons;
  if (!HasAudio(call)) reasons.emplace_back("AUDIO_MISSING");
  const std::string status = TextOf(call, "ProcessingStatus");
  if (status != "SUCCESS" && !status.empty()) reasons.push_back(status);
  return reasons;
}

Payload PayloadOf(ItemView call) {
  const std::string reported = TextOf(call, "CallDateTime");
  const auto time = ParseTime(reported);
  const std::int64_t attempt = NumberOf(call, "Emissions") + 1;
  Payload payload;
  payload.id = fmt::format("{}#{}#{}{}", TextOf(call, "TenantId"), TextOf(call, "CallId"),
                           NumberOf(call, "Revision"),
                           attempt == 1 ? std::string() : fmt::format("#{}", attempt));
  payload.json = fmt::format(
      R"({{"id":{},"TenantId":{},"CallId":{},"CallDateTime":{},"AudioReceived":{},)"
      R"("ProcessingStatus":{},"Reasons":["{}"],"Attempt":{}}})",
      JsonText(payload.id), JsonText(TextOf(call, "TenantId")), JsonText(TextOf(call, "CallId")),
      JsonText(time ? SortableTime(*time) : reported), HasAudio(call),
      JsonText(TextOf(call, "ProcessingStatus")), fmt::join(ReasonsOf(call), R"(",")"), attempt);
  return payload;
}

Fallible<CallReport> ParseReport(std::string_view line) {
  const auto item = ItemOfJson(line);
  if (!item) return std::unexpected(item.error());
  CallReport report;
  for (const auto& [name, value] : *item) {
    if (Problem problem = ReadMember(name, value, report)) {
      return std::unexpected(*std::move(problem));
    }
  }
  if (report.tenant.empty()) return std::unexpected("it has no TenantId");
  if (report.call.empty()) return std::unexpected("it has no CallId");
  return report;
}

ReportDecision DecideReport(const std::optional<Item>& stored, const CallReport& report) {
  if (!stored) return NewCall(report);
  const std::string known_at = TextOf(stored->view(), "UpdatedAt");
  if (report.updated_at && *report.updated_at <= known_at) {
    return {.kind = ReportDecision::Kind::kStale};
  }
  ReportDecision decision;
  decision.change.set = Differences(*stored, report);
  const bool same = decision.change.set.empty();
  if (report.updated_at) decision.change.set.emplace_back("UpdatedAt", *report.updated_at);
  if (same) {
    // Noted all the same, or a late report from before it would win.
    decision.kind =
        report.updated_at ? ReportDecision::Kind::kConfirm : ReportDecision::Kind::kUnchanged;
    return decision;
  }
  Item after = *stored;
  for (const auto& [name, value] : decision.change.set) after.Set(name, value);
  decision.kind = ReportDecision::Kind::kChange;
  decision.status = ReportedStatus(after.view());
  decision.change.set.emplace_back("ReconTime", TextOf(after, "CallDateTime"));
  // A new revision: nothing was tried or emitted for it.
  for (const char* counter : {"Attempts", "Emissions"}) {
    decision.change.set.emplace_back(counter, 0);
  }
  decision.change.add.emplace_back("Revision", 1);
  // A poller that works on the old state finds its lease gone.
  decision.change.remove = {"Problem", "LeaseOwner", "LeaseUntil", "LeaseSink"};
  return decision;
}

}  // namespace stator::systems::reconciler
