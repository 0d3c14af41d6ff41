// Any bytes as the catalog row of an export, an import or a bulk operation: refused, or read and
// written back without a change of meaning.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/jobs/bulk_job.h"
#include "engine/jobs/export_job.h"
#include "engine/jobs/import_job.h"

namespace {

template <class Job>
void Check(std::string_view row) {
  const std::optional<Job> job = Job::Decode(row);
  if (!job) return;
  const std::string written = job->Encode();
  const std::optional<Job> again = Job::Decode(written);
  if (!again || again->Encode() != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view row(reinterpret_cast<const char*>(data), size);
  Check<stator::ExportJob>(row);
  Check<stator::ImportJob>(row);
  Check<stator::BulkJob>(row);
  return 0;
}
