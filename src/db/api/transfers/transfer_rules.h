// Rules that exports, imports and bulk operations share (behaviour.md §9.7, §9.12).
#ifndef STATOR_API_TRANSFERS_TRANSFER_RULES_H_
#define STATOR_API_TRANSFERS_TRANSFER_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "engine/engine.h"
#include "stator/result.h"
#include "stator/transfer_operations.h"
#include "wire/enum_text.h"

namespace stator {

// The framework's constraints on members that these operations have in common.
void ConstrainToken(Constraints& check, const std::optional<std::string>& token);
void ConstrainBucket(Constraints& check, std::string_view path,
                     const std::optional<std::string>& bucket);
void ConstrainBucketOwner(Constraints& check, std::string_view path,
                          const std::optional<std::string>& owner);
void ConstrainPrefix(Constraints& check, std::string_view path,
                     const std::optional<std::string>& prefix);

// The database was opened with a directory for buckets. Then: bucket and prefix can be files there.
Result<void> CheckBuckets(Engine& engine);
Result<void> CheckLocation(const std::optional<std::string>& bucket,
                           const std::optional<std::string>& prefix);

// The job that a request with this token began within the last eight hours; null when there is
// none.
template <class Job>
std::shared_ptr<const Job> FindByToken(const JobRows<Job>& jobs,
                                       const std::optional<std::string>& token, TimeMs now) {
  constexpr std::chrono::hours kTokenLife{8};
  if (!token) return nullptr;
  return jobs.FindByToken(*token, (now - kTokenLife).time_since_epoch().count());
}

// Tells whether two requests with the same token are the same.
class Fingerprint {
 public:
  Fingerprint& Add(const std::optional<std::string>& text);
  Fingerprint& Add(const std::optional<std::int64_t>& number);
  template <class E>
  Fingerprint& Add(const std::optional<Choice<E>>& choice) {
    return Add(choice ? std::optional(std::string(EnumText(choice->value()))) : std::nullopt);
  }
  std::string Text() const;

 private:
  std::string bytes_;
};

// The id in a job's ARN of a request. `part` is what comes before it: "/export/". `member` and
// `what` are for messages: "exportArn", "Export".
struct JobArnKind {
  std::string_view part;
  std::string_view member;
  std::string_view what;
};
inline constexpr JobArnKind kExportArn{"/export/", "exportArn", "Export"};
inline constexpr JobArnKind kImportArn{"/import/", "importArn", "Import"};
inline constexpr JobArnKind kBulkArn{"/bulk-operation/", "bulkOperationArn", "Bulk Operation"};
Result<std::string> JobIdOf(const std::optional<std::string>& arn, JobArnKind kind,
                            const Engine& engine);

// A page token: hexadecimal digits that hold the id of the last job. LastIdOf refuses any other text.
std::string PageToken(std::string_view last_id);
Result<std::string> LastIdOf(const std::string& token);

// One page of jobs, in the order in which they began. `add` gets the description of every job that
// is wanted; the result is the token of the next page, if there is one.
struct JobPage {
  static constexpr std::int64_t kMaxLength = 25;
  // Checks the two members; `limit_name` is that of the limit in messages.
  static Result<JobPage> From(std::string_view limit_name, const std::optional<std::int64_t>& limit,
                              const std::optional<std::string>& next_token);

  template <class Job, class IsWanted, class Add>
  std::optional<std::string> List(const JobRows<Job>& jobs, IsWanted is_wanted, Add add) const {
    std::size_t listed = 0;
    std::string last_id;
    for (const auto& job : jobs.All()) {
      if (job->id <= start_after || !is_wanted(job->shown)) continue;
      if (listed++ == length) return PageToken(last_id);
      last_id = job->id;
      add(job->shown);
    }
    return std::nullopt;
  }

  std::string start_after;  // an id; empty: from the beginning
  std::size_t length = kMaxLength;
};

}  // namespace stator

#endif  // STATOR_API_TRANSFERS_TRANSFER_RULES_H_
