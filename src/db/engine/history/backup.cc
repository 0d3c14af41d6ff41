// A backup's row:
//
//   {"format":1,"id":…,"name":…,"arn":…,"type":"USER","creationMs":…,"expiryMs":…,
//    "items":…,"bytes":…,"table":TEXT}
//
// TEXT is the table's own row (catalog/table_codec.cc). Members without a value are left out.
#include "engine/history/backup.h"

#include <span>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/table_row.h"
#include "engine/store_access.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"

namespace stator {
namespace {

constexpr std::int64_t kBackupFormat = 1;
const std::string kBackupPrefix = std::string(1, kCatalogSpace) + "backup";

using table_row::Reader;

StorageError BackupDamage() {
  return {StorageError::Kind::kCorrupt,
          "the catalog is damaged (a backup's description); restore the data directory from a "
          "backup"};
}

class BackupRowsDeletion final : public Mutation {
 public:
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    batch.DeleteRange(RowsWithPrefix(kBackupPrefix));
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}
};

}  // namespace

std::string EncodeBackup(const Backup& backup) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kBackupFormat);
  out.Key("id").String(backup.id);
  out.Key("name").String(backup.name);
  out.Key("arn").String(backup.arn);
  out.Key("type").String(EnumText(backup.type));
  out.Key("creationMs").Integer(backup.creation_ms);
  if (backup.expiry_ms) out.Key("expiryMs").Integer(*backup.expiry_ms);
  out.Key("items").Integer(backup.items);
  out.Key("bytes").Integer(backup.bytes);
  out.Key("table").String(EncodeTable(backup.table));
  out.EndObject();
  return json;
}

std::optional<Backup> DecodeBackup(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  in.Require(in.ok() && in.Integer("format") == kBackupFormat);
  if (!in.ok()) return std::nullopt;
  Backup backup;
  backup.id = in.String("id");
  backup.name = in.String("name");
  backup.arn = in.String("arn");
  backup.type = in.Enum<BackupType>("type");
  backup.creation_ms = in.Integer("creationMs");
  backup.expiry_ms = in.OptionalInteger("expiryMs");
  backup.items = in.Integer("items");
  backup.bytes = in.Integer("bytes");
  std::optional<Table> table = DecodeTable(in.String("table"));
  in.Require(table.has_value());
  if (!in.ok()) return std::nullopt;
  backup.table = *std::move(table);
  return backup;
}

StorageResult<std::unique_ptr<Backups>> Backups::Load(Store& store, const BackupArchive* archive) {
  std::unique_ptr<Backups> backups(new Backups(store));
  bool is_damaged = false;
  const auto visit = [&](std::string_view key, std::string_view value) {
    std::optional<Backup> backup = DecodeBackup(value);
    is_damaged = !backup || key.substr(kBackupPrefix.size()) != backup->id;
    if (is_damaged) return false;
    std::string id = backup->id;
    backups->by_id_[std::move(id)] = std::make_shared<const Backup>(*std::move(backup));
    return true;
  };
  RETURN_IF_ERROR(store.Scan(RowsWithPrefix(kBackupPrefix), Direction::kForward, visit));
  if (is_damaged) return std::unexpected(BackupDamage());
  if (archive == nullptr) return backups;
  ASSIGN_OR_RETURN(const BackupArchive::Contents contents, archive->List());
  for (const std::string& damage : contents.damaged) {
    Log(LogLevel::kError, "a backup is damaged and left out", {{"damage", damage}});
  }
  for (const BackupArchive::Copy& copy : contents.copies) {
    std::optional<Backup> backup = DecodeBackup(copy.description);
    if (!backup || backup->id != copy.id) {
      Log(LogLevel::kError, "a backup cannot be read and is left out", {{"id", copy.id}});
      continue;
    }
    backup->is_copy = true;
    backups->by_id_[copy.id] = std::make_shared<const Backup>(*std::move(backup));
  }
  return backups;
}

BackupPtr Backups::Find(std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::vector<BackupPtr> Backups::All() const {
  const std::scoped_lock lock(mutex_);
  std::vector<BackupPtr> all;
  all.reserve(by_id_.size());
  for (const auto& [id, backup] : by_id_) all.push_back(backup);
  return all;
}

Result<BackupPtr> Backups::Add(Backup backup, const std::function<Result<void>()>& is_wanted) {
  if (!backup.is_copy) {
    const auto row = [&]() -> Result<RawRows> {
      RETURN_IF_ERROR(is_wanted());
      return RawRows{{kBackupPrefix + backup.id, EncodeBackup(backup)}};
    };
    RETURN_IF_ERROR(WriteCatalogRows(store_, row));
  }
  BackupPtr added = std::make_shared<const Backup>(std::move(backup));
  if (store_.sharing() != nullptr) return added;
  const std::scoped_lock lock(mutex_);
  by_id_[added->id] = added;
  return added;
}

Result<void> Backups::Remove(const Backup& backup, const std::function<Result<void>()>& may_go) {
  const std::string id = backup.id;
  if (!backup.is_copy) {
    const auto row = [&]() -> Result<RawRows> {
      RETURN_IF_ERROR(may_go());
      return RawRows{{kBackupPrefix + id, std::nullopt}};
    };
    RETURN_IF_ERROR(WriteCatalogRows(store_, row));
  }
  const std::scoped_lock lock(mutex_);
  by_id_.erase(id);
  return {};
}

StorageResult<bool> Backups::Learn(std::string_view key, std::optional<std::string_view> value) {
  if (!key.starts_with(kBackupPrefix)) return false;
  std::optional<Backup> backup = value ? DecodeBackup(*value) : std::nullopt;
  if (value && !backup) return std::unexpected(BackupDamage());
  const std::scoped_lock lock(mutex_);
  if (backup) {
    std::string id = backup->id;
    by_id_[std::move(id)] = std::make_shared<const Backup>(*std::move(backup));
  } else {
    by_id_.erase(std::string(key.substr(kBackupPrefix.size())));
  }
  return true;
}

StorageResult<void> ForgetBackupRows(Store& store) {
  return MutateAndWait(store, std::make_unique<BackupRowsDeletion>());
}

}  // namespace stator
