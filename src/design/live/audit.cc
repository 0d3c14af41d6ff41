#include "live/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>

#include "base/try.h"
#include "entity/conditional_write.h"
#include "entity/context.h"
#include "entity/item_values.h"
#include "live/backfill.h"
#include "live/item_walk.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "value/item_json.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace stator::live {
namespace {

struct ItemFlaw {
  Flaw flaw;
  std::string subject;  // "Call.userStatus"
  std::string detail;
};

std::optional<ItemFlaw> NumberFlaw(const model::Attribute& attribute, ValueView value,
                                   const std::string& subject) {
  const double number = std::strtod(value.N().c_str(), nullptr);
  if (attribute.unit == model::Unit::kEpochSeconds && number >= entity::kLatestSeconds) {
    return ItemFlaw{Flaw::kWrongUnit, subject, value.N() + " is in milliseconds, not seconds"};
  }
  if (attribute.unit == model::Unit::kEpochMilliseconds && number >= entity::kEarliestSeconds &&
      number < entity::kLatestSeconds) {
    return ItemFlaw{Flaw::kWrongUnit, subject, value.N() + " is in seconds, not milliseconds"};
  }
  if (attribute.range && (number < attribute.range->first || number > attribute.range->second)) {
    return ItemFlaw{Flaw::kUnknownValue, subject, value.N() + " is out of range"};
  }
  return std::nullopt;
}

std::optional<ItemFlaw> TextFlaw(const model::Attribute& attribute, std::string_view text,
                                 const std::string& subject) {
  if (!attribute.values.empty() &&
      std::ranges::find(attribute.values, text) == attribute.values.end()) {
    return ItemFlaw{Flaw::kUnknownValue, subject,
                    fmt::format("`{}` is none of {}", text, fmt::join(attribute.values, ", "))};
  }
  if (text.find_first_of(attribute.forbidden) != std::string_view::npos) {
    return ItemFlaw{Flaw::kForbidden, subject,
                    fmt::format("`{}` contains one of {}", text, attribute.forbidden)};
  }
  return std::nullopt;
}

std::optional<ItemFlaw> AttributeFlaw(const model::Entity& entity,
                                      const model::Attribute& attribute, ItemView item) {
  const std::string subject = entity.name + "." + attribute.name;
  const std::optional<ValueView> value = item.Find(attribute.name);
  const model::KeyTemplate* key = entity.FindKey(attribute.name);
  if (!value) {
    const bool derived = key != nullptr && key->IsDerived();
    if (attribute.optional || attribute.implicit || derived || attribute.name == entity.version) {
      return std::nullopt;
    }
    return ItemFlaw{Flaw::kAttributeMissing, subject, "is missing"};
  }
  if (value->type() == Type::kNull && attribute.nullable) return std::nullopt;
  if (value->type() != attribute.type) {
    if (attribute.type == Type::kN && value->type() == Type::kS &&
        Number::Parse(value->S()).has_value()) {
      return ItemFlaw{Flaw::kNumberAsText, subject,
                      fmt::format("the number {} is stored as text", value->S())};
    }
    return ItemFlaw{
        Flaw::kWrongType, subject,
        fmt::format("is {}, the model says {}", DebugText(*value), TypeName(attribute.type))};
  }
  if (value->type() == Type::kN) return NumberFlaw(attribute, *value, subject);
  if (value->type() == Type::kS) return TextFlaw(attribute, value->S(), subject);
  return std::nullopt;
}

std::string ShownValue(const std::optional<AttributeValue>& value) {
  return value ? DebugText(value->view()) : "absent";
}

ItemFlaw KeyFlaw(const model::Entity& entity, const WrongKey& key, ItemView item) {
  const std::string& name = key.wanted.key->attribute;
  const auto stored = item.Find(name);
  Flaw flaw = Flaw::kKeyWrong;
  if (!key.present) flaw = Flaw::kKeyMissing;
  if (!key.wanted.value) flaw = Flaw::kKeyLeftBehind;
  return {flaw, entity.name + "." + name,
          fmt::format("is {}, must be {}", stored ? DebugText(*stored) : "absent",
                      ShownValue(key.wanted.value))};
}

bool IsMade(const model::Entity& entity, const model::KeyAttribute& attribute) {
  const model::KeyTemplate* key = entity.FindKey(attribute.name);
  return key != nullptr && key->IsDerived();
}

// A sparse index over plain attributes: nothing is derived, so the item leaves it only when one of
// them is removed.
void AddLeftEntries(const model::Table& table, const model::Entity& entity, ItemView item,
                    TimeMs now, std::vector<ItemFlaw>& flaws) {
  for (const model::Index& index : table.indexes) {
    if (index.local || !index.sparse || !index.sparse->when) continue;
    std::vector<model::KeyAttribute> keys = index.partition;
    keys.insert(keys.end(), index.sort.begin(), index.sort.end());
    const bool enters = std::ranges::all_of(keys, [&](const model::KeyAttribute& key) {
      const auto value = item.Find(key.name);
      return value && value->type() == key.type && !IsMade(entity, key);
    });
    if (!enters || model::Holds(*index.sparse->when, entity, item, now)) continue;
    flaws.push_back({Flaw::kKeyLeftBehind, entity.name + "." + keys.front().name,
                     fmt::format("is set, which keeps the item in {}, although not {}", index.name,
                                 index.sparse->when->text)});
  }
}

// Of the attributes alone: types, units, values.
std::vector<ItemFlaw> AttributeFlaws(const model::Entity& entity, ItemView item) {
  std::vector<ItemFlaw> flaws;
  for (const model::Attribute& attribute : entity.attributes) {
    if (std::optional<ItemFlaw> flaw = AttributeFlaw(entity, attribute, item)) {
      flaws.push_back(*std::move(flaw));
    }
  }
  return flaws;
}

// Of derived keys, the table's own included.
std::vector<ItemFlaw> KeyFlaws(const model::Model& model, const model::Table& table,
                               const model::Entity& entity, ItemView item, TimeMs now) {
  const auto wrong = FindWrongKeys(model, table, entity, nullptr, item, now);
  if (!wrong) return {{Flaw::kKeyImpossible, entity.name, wrong.error()}};
  std::vector<ItemFlaw> flaws;
  for (const WrongKey& key : *wrong) flaws.push_back(KeyFlaw(entity, key, item));
  AddLeftEntries(table, entity, item, now, flaws);
  // The table's own key cannot be repaired in place, but it can be wrong.
  const auto derived = model::DeriveKeys(model, entity, item, now, nullptr);
  for (const model::DerivedKey& key : *derived) {
    const std::string& name = key.key->attribute;
    const bool is_base = model::IsKeyOf(table, name);
    const auto stored = item.Find(name);
    if (is_base && key.value && stored && *stored != key.value->view()) {
      flaws.push_back(KeyFlaw(entity, {.wanted = key, .present = true}, item));
    }
  }
  return flaws;
}

std::optional<ItemFlaw> VersionFlaw(const model::Entity& entity, ItemView item) {
  if (entity.version.empty() || item.Find(entity.version)) return std::nullopt;
  return ItemFlaw{Flaw::kVersionMissing, entity.name + "." + entity.version,
                  "is missing, which counts as 0"};
}

std::string KeyText(const model::Table& table, ItemView item) {
  std::string text;
  JsonWriter json(text);
  WriteItem(json, entity::StoredKey(table, item).view());
  return text;
}

// A unique value, the write that keeps it unique, and the items that have it.
struct Claim {
  const model::Entity* entity = nullptr;
  entity::ConditionalWrite put;
  std::vector<Item> owners;
};

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
    RETURN_IF_ERROR(CompareSentinels());
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
      bool mended = false;
      if (mendable) {
        ASSIGN_OR_RETURN(mended, Mend(item, keys));
      }
      flaws.insert(flaws.end(), keys.begin(), keys.end());
      if (std::optional<ItemFlaw> version = VersionFlaw(*entity, item)) {
        bool added = false;
        if (options_.fix) {
          ASSIGN_OR_RETURN(added, AddVersion(*entity, item));
        }
        if (!added) flaws.push_back(*std::move(version));
        mended |= added;
      }
      if (mended) {
        const std::lock_guard lock(mutex_);
        ++report_.mended;
      }
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

  // Removes the repaired flaws from the list. True if the item was changed.
  Result<bool> Mend(ItemView item, std::vector<ItemFlaw>& flaws) {
    ASSIGN_OR_RETURN(const Mended mended, MendItem(endpoint_,
                                                   {.model = model_,
                                                    .table = table_,
                                                    .table_name = options_.table_name,
                                                    .index = nullptr,
                                                    .now = options_.now},
                                                   item));
    if (mended != Mended::kChanged) return false;
    std::erase_if(flaws, [&](const ItemFlaw& flaw) {
      const std::string name = flaw.subject.substr(flaw.subject.find('.') + 1);
      return !model::IsKeyOf(table_, name);
    });
    return true;
  }

  // The first version, unless the item has got one meanwhile or is gone.
  Result<bool> AddVersion(const model::Entity& entity, ItemView item) {
    entity::ExpressionText text;
    UpdateItemRequest request;
    request.table_name = options_.table_name;
    request.key = entity::StoredKey(table_, item);
    request.update_expression = "SET " + text.Equals(entity.version, AttributeValue(1));
    request.condition_expression =
        fmt::format("attribute_exists({}) AND attribute_not_exists({})",
                    text.Name(table_.partition->name), text.Name(entity.version));
    request.expression_attribute_names = text.names();
    request.expression_attribute_values = text.values();
    const auto added = endpoint_.UpdateItem(request);
    if (!added && added.error().code() != ErrorCode::kConditionalCheckFailed) {
      return std::unexpected(added.error());
    }
    return true;
  }

  void RememberUnique(const model::Entity& entity, ItemView item) {
    if (entity.unique.empty()) return;
    const entity::Home home{entity, table_, options_.table_name};
    const Item owned = Item::FromView(item);
    std::vector<entity::ConditionalWrite> writes;
    if (!entity::AddSentinels(home, nullptr, &owned, writes)) return;
    for (const entity::ConditionalWrite& write : writes) {
      Claim& claim = claims_[KeyText(table_, write.item.view())];
      claim.entity = &entity;
      claim.put = write;
      claim.owners.push_back(entity::StoredKey(table_, item));
    }
  }

  Result<void> CompareSentinels() {
    for (auto& [sentinel, claim] : claims_) {
      // Segments of a scan come in any order.
      std::ranges::sort(claim.owners,
                        [](const Item& a, const Item& b) { return a.encoded() < b.encoded(); });
      if (claim.owners.size() > 1) CountClaimedTwice(sentinel, claim);
      if (sentinels_.contains(sentinel)) continue;
      bool added = false;
      // Which of several items may keep the value is for people to say.
      if (options_.fix && claim.owners.size() == 1) {
        ASSIGN_OR_RETURN(added, AddSentinel(claim));
      }
      if (added) continue;
      Count({Flaw::kSentinelMissing, claim.entity->name, "nothing holds " + sentinel},
            KeyText(table_, claim.owners.front().view()));
    }
    return {};
  }

  void CountClaimedTwice(const std::string& sentinel, const Claim& claim) {
    std::string others;
    for (std::size_t i = 1; i < claim.owners.size(); ++i) {
      others += (i == 1 ? "" : " and ") + KeyText(table_, claim.owners[i].view());
    }
    Count({Flaw::kClaimedTwice, claim.entity->name,
           fmt::format("claims {}, and so does {}", sentinel, others)},
          KeyText(table_, claim.owners.front().view()));
  }

  // Together with a look whether the item is still there: a sentinel without an item would keep
  // its value from everybody. False if the item is gone, or has another key by now.
  Result<bool> AddSentinel(const Claim& claim) {
    TransactPut put;
    put.table_name = options_.table_name;
    put.item = claim.put.item;
    put.condition_expression = claim.put.condition;
    put.expression_attribute_names = claim.put.expression.names();
    TransactConditionCheck check;
    entity::ExpressionText text;
    check.table_name = options_.table_name;
    check.key = claim.owners.front();
    check.condition_expression =
        fmt::format("attribute_exists({})", text.Name(table_.partition->name));
    check.expression_attribute_names = text.names();
    TransactWriteItemsRequest request;
    request.transact_items.emplace(2);
    request.transact_items->front().put = std::move(put);
    request.transact_items->back().condition_check = std::move(check);
    const auto added = endpoint_.TransactWriteItems(request);
    if (!added && added.error().code() == ErrorCode::kTransactionCanceled) return false;
    if (!added) return std::unexpected(added.error());
    ++report_.sentinels_added;
    return true;
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
    // Those with the smallest keys, so that the next audit shows the same.
    const auto place = std::ranges::upper_bound(count.examples, key, {}, &FlawExample::key);
    count.examples.insert(place, {std::move(key), std::move(flaw.detail)});
    if (count.examples.size() > options_.examples) count.examples.pop_back();
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
  std::map<std::string, Claim> claims_;  // by the key of the sentinel
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
    case Flaw::kClaimedTwice:
      return "unique value claimed twice";
    case Flaw::kVersionMissing:
      return "version missing";
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
