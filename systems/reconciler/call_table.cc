#include "systems/reconciler/call_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/text.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kIndexName = "ReconciliationIndex";
constexpr int kFirstSettingsAttempts = 5;
constexpr std::int64_t kShardsWithoutSettings = 10;
// `stator check` remarks on more than four times the shards that are needed, which is one.
constexpr std::int64_t kShardsUnremarkable = 4;

// Its key is the same in every table: the model has it.
const Item& SettingsKey() {
  static const Item key;
  return key;
}

void Replace(std::string& text, std::string_view old, const std::string& with) {
  const std::size_t at = text.find(old);
  if (at != std::string::npos) text.replace(at, old.size(), with);
}

// FNV-1a, as the entity layer spreads items over shards.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

TableSettings SettingsOf(ItemView item) {
  TableSettings settings{.shards = std::max<std::int64_t>(1, NumberOf(item, "Shards")),
                         .former = {},
                         .most = NumberOf(item, "Most"),
                         .version = NumberOf(item, "Version")};
  settings.most = std::max(settings.most, settings.shards);
  for (const std::string& count : SetOf(item, "Former")) settings.former.insert(std::stoll(count));
  return settings;
}

// STATUS#PENDING#3, not STATUS#PENDING.
bool IsInShard(ItemView entry) {
  const std::string key = TextOf(entry, "GSI_Recon_PK");
  return std::ranges::count(key, '#') > 1;
}

EntityError StoreFailure(const Error& error) {
  return {EntityErrorKind::kStore, MessageOf(error), std::nullopt, error};
}

EntityError Refusal(std::string message) {
  return {EntityErrorKind::kInvalid, std::move(message), std::nullopt, std::nullopt};
}

}  // namespace

std::string ModelTextOf(std::int64_t shards) {
  std::string text(ModelText());
  if (shards == 1) return text;
  Replace(text, R"("STATUS#{ReconStatus}")", R"("STATUS#{ReconStatus}#{shard}")");
  Replace(text, "        sparse: {",
          fmt::format("        shards: {{n: {}, by: CallId}}\n        sparse: {{", shards));
  // What is accepted of one shard is not found of several.
  const std::size_t accepted = text.find("  HP02@calls.ReconciliationIndex");
  if (accepted != std::string::npos) text.erase(accepted, text.find('\n', accepted) + 1 - accepted);
  if (shards > kShardsUnremarkable) {
    text += "  HP04@calls.ReconciliationIndex: as many as the table was given\n";
  }
  return text;
}

std::string IndexKey(std::string_view status, std::string_view call_id, std::int64_t shards) {
  if (shards == 1) return fmt::format("STATUS#{}", status);
  return fmt::format("STATUS#{}#{}", status, Hash(call_id) % static_cast<std::uint64_t>(shards));
}

CallTable::CallTable(Endpoint& endpoint, CallTableOptions options)
    : endpoint_(endpoint),
      options_(std::move(options)),
      table_name_(options_.table_prefix + "calls") {}

Fallible<std::unique_ptr<CallTable>> CallTable::Open(Endpoint& endpoint, CallTableOptions options) {
  std::unique_ptr<CallTable> table(new CallTable(endpoint, std::move(options)));
  TRY(const TableSettings settings, OrMessage(table->CurrentSettings()));
  const auto& wanted = table->options_.shards;
  if (wanted && *wanted != settings.shards) {
    return std::unexpected(
        fmt::format("this table has {} shard{}, not {}: leave out --shards, or change it with "
                    "`reconciler reshard --shards {}`",
                    settings.shards, settings.shards == 1 ? "" : "s", *wanted, *wanted));
  }
  return table;
}

Entities& CallTable::EntitiesOf(std::int64_t shards) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Entities>& entities = entities_[shards];
  if (!entities) {
    // The model is built in; a test parses it with shards.
    entities = std::make_unique<Entities>(
        endpoint_, *Model::Parse(ModelTextOf(shards)),
        EntityOptions{.clock = options_.clock, .table_prefix = options_.table_prefix});
  }
  return *entities;
}

EntityResult<TableSettings> CallTable::ReadSettings() {
  TRY(const std::optional<Item> item, plain().Get("Settings", SettingsKey(), {.strong = true}));
  if (!item) return FirstSettings();
  return SettingsOf(item->view());
}

// A table that nobody has opened before gets its settings now. Calls that are in its index already
// stand there as the seed puts them, in one shard, or in the ten that tables had before they had
// settings.
EntityResult<TableSettings> CallTable::FirstSettings() {
  TRY(const std::optional<Item> entry, AnyEntry());
  const std::int64_t shards = options_.shards.value_or(1);
  if (entry && shards != 1) {
    return std::unexpected(Refusal(fmt::format(
        "this table has calls in its index: leave out --shards, and then change it with "
        "`reconciler reshard --shards {}`",
        shards)));
  }
  Item item{{"Shards", shards}, {"Most", shards}};
  if (entry && IsInShard(entry->view())) {
    item.Set("Former", SetValue({std::to_string(kShardsWithoutSettings)}));
    item.Set("Most", AttributeValue(kShardsWithoutSettings));
  }
  EntityError last;
  for (int attempt = 0; attempt < kFirstSettingsAttempts; ++attempt) {
    const auto created = plain().Create("Settings", item);
    if (created) return SettingsOf(created->view());
    last = created.error();
    if (last.kind != EntityErrorKind::kExists) break;
    // Another program was faster.
    TRY(const std::optional<Item> stored, plain().Get("Settings", SettingsKey(), {.strong = true}));
    if (stored) return SettingsOf(stored->view());
  }
  return std::unexpected(last);
}

EntityResult<std::optional<Item>> CallTable::AnyEntry() {
  const auto page =
      endpoint_.Scan({.table_name = table_name_, .index_name = kIndexName, .limit = 1});
  if (!page) return std::unexpected(StoreFailure(page.error()));
  if (page->count == 0) return std::nullopt;
  return Item::FromView((*page->items)[0]);
}

EntityResult<void> CallTable::WriteSettings(const TableSettings& settings) {
  Change change{
      .set = {{"Shards", settings.shards}, {"Most", std::max(settings.most, settings.shards)}}};
  if (settings.former.empty()) {
    change.remove = {"Former"};
  } else {
    std::set<std::string> counts;
    for (const std::int64_t count : settings.former) counts.insert(std::to_string(count));
    change.set.emplace_back("Former", SetValue(counts));
  }
  const auto written =
      plain().Update("Settings", SettingsKey(), change, {.expected_version = settings.version});
  if (!written) return std::unexpected(written.error());
  const std::lock_guard lock(mutex_);
  read_at_.reset();
  return {};
}

EntityResult<TableSettings> CallTable::CurrentSettings() {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (read_at_ && now - *read_at_ < options_.settings_age_max) return settings_;
  }
  TRY(TableSettings settings, ReadSettings());
  const std::lock_guard lock(mutex_);
  settings_ = std::move(settings);
  read_at_ = now;  // from before they were read
  return settings_;
}

EntityResult<Entities*> CallTable::entities() {
  TRY(const TableSettings settings, CurrentSettings());
  return &EntitiesOf(settings.shards);
}

EntityResult<std::vector<Entities*>> CallTable::readers() {
  TRY(const TableSettings settings, CurrentSettings());
  // STATUS#PENDING#3 is a key of every layout with more than three shards: the one with the most
  // finds the entries of all others.
  std::int64_t most = settings.shards;
  for (const std::int64_t count : settings.former) most = std::max(most, count);
  std::vector<Entities*> readers;
  if (settings.shards == 1) {
    if (most > 1) readers.push_back(&EntitiesOf(most));
    readers.push_back(&EntitiesOf(1));
    return readers;
  }
  if (settings.former.contains(1)) readers.push_back(&EntitiesOf(1));
  readers.push_back(&EntitiesOf(most));
  return readers;
}

EntityResult<Item> CallTable::Adopt(ItemView call) {
  const EntryPlace place = PlaceOf(call);
  const std::string reported = TextOf(call, "CallDateTime");
  const auto time = ParseTime(reported.empty() ? place.time : reported);
  Item after = Item::FromView(call);
  after.Set("CallDateTime", AttributeValue(SortableTime(time.value_or(Now()))));
  if (!call.Find("AudioReceived")) after.Set("AudioReceived", AttributeValue::Bool(false));
  if (!call.Find("ProcessingStatus")) {
    const bool known = std::ranges::find(kStatuses, place.status) != std::end(kStatuses);
    after.Set("ProcessingStatus", AttributeValue(known ? place.status : "PENDING"));
  }
  after = Placed(std::move(after));
  UpdateItemRequest request{.table_name = table_name_, .key = KeyOf(call)};
  request.update_expression =
      "SET CallDateTime = :c, AudioReceived = :a, ProcessingStatus = :p, ReconStatus = :s, "
      "ReconTime = :c, Revision = if_not_exists(Revision, :zero), "
      "Emissions = if_not_exists(Emissions, :zero), Attempts = if_not_exists(Attempts, :zero)";
  // Whoever changes it meanwhile is not overwritten.
  std::string condition = "attribute_exists(TenantId) AND attribute_not_exists(ReconStatus) AND ";
  ValueMap values{{":zero", 0}};
  for (const auto& [name, attribute] : {std::pair(":c", "CallDateTime"),
                                        {":a", "AudioReceived"},
                                        {":p", "ProcessingStatus"},
                                        {":s", "ReconStatus"}}) {
    values.emplace_back(name, AttributeValue::FromView(*after.Find(attribute)));
  }
  if (const auto version = call.Find("Version")) {
    values.emplace_back(":v", AttributeValue::FromView(*version));
    condition += "Version = :v";
  } else {
    condition += "attribute_not_exists(Version)";
  }
  request.condition_expression = std::move(condition);
  request.expression_attribute_values = std::move(values);
  request.return_values = ReturnValues::kAllNew;
  auto adopted = endpoint_.UpdateItem(request);
  if (adopted) return *std::move(adopted->attributes);
  EntityError error = StoreFailure(adopted.error());
  if (adopted.error().code() == ErrorCode::kConditionalCheckFailed) {
    error.kind = EntityErrorKind::kConflict;
  }
  return std::unexpected(std::move(error));
}

TimeMs CallTable::Now() const {
  const std::lock_guard lock(mutex_);
  return entities_.begin()->second->Now();
}

UsedUnits CallTable::used() const {
  const std::lock_guard lock(mutex_);
  UsedUnits sum;
  for (const auto& [shards, entities] : entities_) {
    const UsedUnits used = entities->used();
    sum.read += used.read;
    sum.write += used.write;
    sum.requests += used.requests;
  }
  return sum;
}

}  // namespace stator::systems::reconciler
