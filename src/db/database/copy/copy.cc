#include "database/copy/copy.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "database/copy/copied_catalog.h"
#include "database/copy/copier.h"
#include "engine/catalog/row_key.h"
#include "storage/copy_source.h"
#include "storage/store.h"

namespace stator {
namespace {

bool IsPostgres(std::string_view place) {
  return place.starts_with("postgres://") || place.starts_with("postgresql://");
}

// What messages, and the target, call a place: without a password.
std::string NameOf(const std::string& place) {
  if (!IsPostgres(place)) return place;
  const std::size_t scheme_end = place.find("://") + 3;
  std::string name = place.substr(0, place.find('?'));
  const std::size_t at = name.rfind('@');
  if (at == std::string::npos) return name;
  const std::size_t colon = name.find(':', scheme_end);
  if (colon < at) name.erase(colon, at - colon);
  return name;
}

CopyOptions Named(CopyOptions options) {
  options.from = NameOf(options.from);
  options.to = NameOf(options.to);
  return options;
}

// Nobody waits for a copy's mutations but the copy.
constexpr WriteLimits kCopyLimits{.processor_time = std::chrono::minutes(10),
                                  .wait = std::chrono::minutes(10)};

StorageResult<std::unique_ptr<Store>> OpenShared(const std::string& url, bool makes_tables) {
  return OpenPostgresStore({.url = url,
                            .write_limits = kCopyLimits,
                            .makes_tables = makes_tables,
                            .may_keep = false,
                            .part_of = PartOf});
}

StorageResult<std::unique_ptr<CopySource>> OpenSource(const std::string& place, CopyAccess access) {
  if (!IsPostgres(place)) {
    StorageResult<std::unique_ptr<CopySource>> source = OpenDirectoryToCopy(place, access);
    if (!source && source.error().kind == StorageError::Kind::kLocked) {
      source.error().message += ", or use --follow, which copies from a directory in use";
    }
    return source;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Store> store, OpenShared(place, /*makes_tables=*/false));
  return MakeCopySource(std::move(store));
}

StorageResult<std::unique_ptr<Store>> OpenTarget(const std::string& place) {
  if (IsPostgres(place)) return OpenShared(place, /*makes_tables=*/true);
  return OpenRocksStore({.directory = place, .write_limits = kCopyLimits});
}

StorageResult<CopyReport> Copy(const CopyOptions& options, const CopyProgressCallback& progress) {
  const CopyAccess access = options.follow ? CopyAccess::kWatch : CopyAccess::kAlone;
  ASSIGN_OR_RETURN(const std::unique_ptr<CopySource> source, OpenSource(options.from, access));
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> target, OpenTarget(options.to));
  const CopyOptions named = Named(options);
  return Copier(*source, *target, named, progress).Run();
}

StorageResult<CopyReport> Compare(const CopyOptions& options,
                                  const CopyProgressCallback& progress) {
  ASSIGN_OR_RETURN(const std::unique_ptr<CopySource> source,
                   OpenSource(options.from, CopyAccess::kAlone));
  ASSIGN_OR_RETURN(const std::unique_ptr<CopySource> target,
                   OpenSource(options.to, CopyAccess::kAlone));
  RETURN_IF_ERROR(source->Renew());
  RETURN_IF_ERROR(target->Renew());
  RETURN_IF_ERROR(IdentityOf(source->rows(), NameOf(options.from)));
  CopyReport report;
  Comparison comparison;
  bool more = true;
  while (more) {
    ASSIGN_OR_RETURN(more, comparison.Step(source->rows(), target->rows()));
    if (progress) {
      progress({.doing = "comparing", .rows = comparison.rows(), .bytes = comparison.bytes()});
    }
  }
  report.spaces = comparison.Spaces();
  report.differences = comparison.differences();
  report.compared_rows = comparison.rows();
  ASSIGN_OR_RETURN(const std::vector<CopiedBackup> backups, BackupsIn(source->rows()));
  for (const CopiedBackup& backup : backups) {
    ASSIGN_OR_RETURN(const auto of_source, source->OpenCheckpoint(backup.id));
    const auto of_target = target->OpenCheckpoint(backup.id);
    if (!of_target) {
      report.differences.push_back("backup " + backup.name + " has no rows in the target");
      continue;
    }
    ASSIGN_OR_RETURN(const ComparedSpace compared,
                     CompareBackup(backup, *of_source, **of_target, report.differences));
    report.compared_rows += compared.source.rows;
    report.spaces.push_back(compared);
  }
  report.backups = backups.size();
  return report;
}

std::expected<CopyReport, std::string> WithText(StorageResult<CopyReport> report) {
  if (!report) return std::unexpected(std::move(report.error().message));
  return *std::move(report);
}

}  // namespace

std::expected<CopyReport, std::string> CopyDatabase(const CopyOptions& options,
                                                    const CopyProgressCallback& progress) {
  return WithText(Copy(options, progress));
}

std::expected<CopyReport, std::string> CompareDatabases(const CopyOptions& options,
                                                        const CopyProgressCallback& progress) {
  return WithText(Compare(options, progress));
}

}  // namespace stator
