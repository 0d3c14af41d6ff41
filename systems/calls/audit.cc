#include "systems/calls/audit.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "stator/live.h"
#include "systems/calls/call.h"
#include "systems/program/items.h"

namespace stator::systems::calls {
namespace {

constexpr std::string_view kTable = "Calls";
constexpr std::string_view kSentinel = "UNIQUE#Call#callId#";

// As it is stored, for comparing.
std::string StoredText(ItemView item, std::string_view name) {
  return item.Find(name) ? TextOf(item, name) : "(absent)";
}

// Checks the first invariant, and collects the calls of each id and the ids that sentinels hold.
class Walk {
 public:
  explicit Walk(CallAudit& audit) : audit_(audit) {}

  void Visit(ItemView item) {
    if (const std::string user = StoredText(item, "userId"); user.starts_with(kSentinel)) {
      ++audit_.sentinels;
      held_ids_.insert(user.substr(kSentinel.size()));
      return;
    }
    ++audit_.calls;
    const Call call = CallOf(Item::FromView(item));
    ++calls_of_id_[call.call_id];
    Compare(call, "sk", StoredText(item, "sk"), SortKey(call.scheduled_for, call.call_id));
    Compare(call, "userStatus", StoredText(item, "userStatus"),
            UserStatus(call.user_id, call.status));
  }

  void CompareIds() {
    for (const auto& [id, count] : calls_of_id_) {
      if (count > 1) audit_.flaws.push_back(fmt::format("{} calls have the id {}", count, id));
      if (!held_ids_.contains(id)) {
        audit_.flaws.push_back(fmt::format("nothing keeps the id {} unique", id));
      }
    }
    for (const std::string& id : held_ids_) {
      if (!calls_of_id_.contains(id)) {
        audit_.flaws.push_back(fmt::format("the id {} is held, but no call has it", id));
      }
    }
  }

 private:
  void Compare(const Call& call, std::string_view name, const std::string& stored,
               const std::optional<std::string>& wanted) {
    if (stored == wanted) return;
    audit_.flaws.push_back(fmt::format("call {}: {} is {}, must be {}", call.call_id, name, stored,
                                       wanted.value_or("refused")));
  }

  CallAudit& audit_;
  std::map<std::string, int> calls_of_id_;
  std::set<std::string> held_ids_;
};

}  // namespace

Result<CallAudit> AuditCalls(Endpoint& endpoint, const Model& model,
                             const CallAuditOptions& options) {
  CallAudit audit;
  if (options.fix) {
    const auto fixed =
        AuditModel(endpoint, model,
                   {.table_prefix = options.table_prefix, .fix = true, .clock = options.clock});
    if (!fixed) return std::unexpected(fixed.error());
    audit.mended = fixed->mended;
  }
  Walk walk(audit);
  ScanRequest request{.table_name = options.table_prefix + std::string(kTable),
                      .consistent_read = true};
  do {
    const auto page = endpoint.Scan(request);
    if (!page) return std::unexpected(page.error());
    for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
      walk.Visit((*page->items)[i]);
    }
    request.exclusive_start_key = page->last_evaluated_key;
  } while (request.exclusive_start_key);
  walk.CompareIds();

  const auto by_model =
      AuditModel(endpoint, model, {.table_prefix = options.table_prefix, .clock = options.clock});
  if (!by_model) return std::unexpected(by_model.error());
  audit.flaws.insert(audit.flaws.end(), by_model->flaws.begin(), by_model->flaws.end());
  return audit;
}

Result<CallAudit> AuditCalls(Tables& tables, bool fix) {
  return AuditCalls(tables.endpoint(), tables.model(),
                    {.table_prefix = tables.prefix(), .clock = &tables.clock(), .fix = fix});
}

}  // namespace stator::systems::calls
