#include "live/audit.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "base/try.h"
#include "entity/context.h"
#include "entity/item_key.h"
#include "entity/sentinels.h"
#include "live/backfill.h"
#include "live/item_flaws.h"
#include "live/item_walk.h"
#include "live/mend.h"
#include "model/keys/derive.h"
#include "value/item_json.h"
#include "value/json_writer.h"

namespace stator::live {
namespace {

std::string KeyText(const model::Table& table, ItemView item) {
  std::string text;
  JsonWriter json(text);
  WriteItem(json, entity::StoredKey(table, item).view());
  return text;
}

class Audit {
 public:
  Audit(Endpoint& endpoint, const model::Model& model, const model::Table& table,
        const AuditOptions& options, const LiveProgressCallback& progress)
      : endpoint_(endpoint), model_(model), table_(table), options_(options), progress_(progress) {
    report_.table_name = options.table_name;
  }

  Result<AuditReport> Run() {
    shown_.what = "auditing " + options_.table_name;
    RETURN_IF_ERROR(WalkItems(
        endpoint_, {.table_name = options_.table_name, .segments = options_.segments},
        [this](ItemView item) { return Visit(item); },
        [this](std::int64_t read) {
          shown_.read = read;
          if (progress_) progress_(shown_);
        }));
    CompareSentinels();
    RETURN_IF_ERROR(CompareIndexes());
    return std::move(report_);
  }

 private:
  Result<void> Visit(ItemView item) {
    if (model::IsSentinel(table_, item)) {
      const std::lock_guard lock(mutex_);
      ++report_.sentinels;
      sentinels_.insert(KeyText(table_, item));
      return {};
    }
    const model::Entity* entity = model::EntityOf(model_, table_, item);
    std::vector<ItemFlaw> flaws;
    if (entity == nullptr) {
      flaws.push_back({Flaw::kNoEntity, table_.id, "fits no entity"});
    } else {
      flaws = AttributeFlaws(*entity, item);
      std::vector<ItemFlaw> keys = KeyFlaws(model_, table_, *entity, item, options_.now);
      const bool mendable = !keys.empty() && options_.fix;
      if (mendable) RETURN_IF_ERROR(Mend(item, keys));
      flaws.insert(flaws.end(), keys.begin(), keys.end());
    }
    const std::lock_guard lock(mutex_);
    ++report_.items;
    if (entity != nullptr) {
      ++report_.entities[entity->name];
      RememberUnique(*entity, item);
    }
    for (ItemFlaw& flaw : flaws) Count(std::move(flaw), KeyText(table_, item));
    return {};
  }

  // Takes the flaws that are mended out of the list.
  Result<void> Mend(ItemView item, std::vector<ItemFlaw>& flaws) {
    ASSIGN_OR_RETURN(const Mended mended, MendItem(endpoint_,
                                                   {.model = model_,
                                                    .table = table_,
                                                    .table_name = options_.table_name,
                                                    .index = nullptr,
                                                    .now = options_.now},
                                                   item));
    if (mended != Mended::kChanged) return {};
    std::erase_if(flaws, [&](const ItemFlaw& flaw) {
      const std::string name = flaw.subject.substr(flaw.subject.find('.') + 1);
      const bool is_base =
          table_.partition->name == name || (table_.sort && table_.sort->name == name);
      return !is_base;
    });
    const std::lock_guard lock(mutex_);
    ++report_.mended;
    return {};
  }

  void RememberUnique(const model::Entity& entity, ItemView item) {
    if (entity.unique.empty()) return;
    const entity::Home home{entity, table_, options_.table_name};
    const Item owned = Item::FromView(item);
    const auto writes = entity::SentinelWrites(home, nullptr, &owned);
    if (!writes) return;
    for (const entity::ItemWrite& write : *writes) {
      wanted_sentinels_.emplace(KeyText(table_, write.item.view()),
                                std::pair(entity.name, KeyText(table_, item)));
    }
  }

  void CompareSentinels() {
    for (const auto& [sentinel, owner] : wanted_sentinels_) {
      if (sentinels_.contains(sentinel)) continue;
      Count({Flaw::kSentinelMissing, owner.first, "nothing holds " + sentinel}, owner.second);
    }
  }

  Result<void> CompareIndexes() {
    for (const model::Index& index : table_.indexes) {
      const auto check = VerifyIndex(endpoint_, index, options_.table_name, options_.segments, {});
      // A table that was not migrated yet lacks the index: `stator apply` says so.
      if (!check && check.error().code() == ErrorCode::kValidation) continue;
      if (!check) return std::unexpected(check.error());
      report_.indexes.emplace_back(index.name, std::pair(check->expected, check->found));
    }
    return {};
  }

  void Count(ItemFlaw flaw, std::string key) {
    FlawCount& count = report_.flaws[{flaw.flaw, flaw.subject}];
    ++count.items;
    if (count.examples.size() < options_.examples) {
      count.examples.push_back({std::move(key), std::move(flaw.detail)});
    }
  }

  Endpoint& endpoint_;
  const model::Model& model_;
  const model::Table& table_;
  const AuditOptions& options_;
  const LiveProgressCallback& progress_;
  LiveProgress shown_;
  std::mutex mutex_;
  AuditReport report_;
  std::set<std::string> sentinels_;
  std::map<std::string, std::pair<std::string, std::string>> wanted_sentinels_;
};

}  // namespace

std::string_view FlawName(Flaw flaw) {
  switch (flaw) {
    case Flaw::kNoEntity:
      return "no entity of the model";
    case Flaw::kKeyWrong:
      return "derived key wrong";
    case Flaw::kKeyMissing:
      return "derived key missing";
    case Flaw::kKeyLeftBehind:
      return "sparse key left behind";
    case Flaw::kKeyImpossible:
      return "derived key cannot be made";
    case Flaw::kWrongType:
      return "wrong type";
    case Flaw::kNumberAsText:
      return "number stored as text";
    case Flaw::kWrongUnit:
      return "time off by 1000";
    case Flaw::kUnknownValue:
      return "unknown value";
    case Flaw::kAttributeMissing:
      return "attribute missing";
    case Flaw::kForbidden:
      return "forbidden character";
    case Flaw::kSentinelMissing:
      return "sentinel missing";
  }
  return {};
}

bool AuditReport::clean() const {
  for (const auto& [name, counts] : indexes) {
    if (counts.first != counts.second) return false;
  }
  return flaws.empty();
}

Result<AuditReport> AuditTable(Endpoint& endpoint, const model::Model& model,
                               const model::Table& table, const AuditOptions& options,
                               const LiveProgressCallback& progress) {
  return Audit(endpoint, model, table, options, progress).Run();
}

}  // namespace stator::live
