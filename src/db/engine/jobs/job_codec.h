// The rows of exports, imports and bulk operations: JSON objects that begin alike.
//
//   {"format":2,"id":…,"description":{…},"fingerprint":…, …}
//
// The description is the one that clients see, as on the wire (src/db/wire/transfer_fields.cc).
#ifndef STATOR_ENGINE_JOBS_JOB_CODEC_H_
#define STATOR_ENGINE_JOBS_JOB_CODEC_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/catalog/table_row.h"
#include "transfer/import_reader.h"
#include "value/json_writer.h"
#include "wire/json_codec.h"

namespace stator::job_codec {

inline constexpr std::int64_t kFormat = 2;

// A row of a format that this version no longer reads.
bool IsOfEarlierFormat(std::string_view json);

template <class Job>
void WriteHead(JsonWriter& out, const Job& job) {
  out.Key("format").Integer(kFormat);
  out.Key("id").String(job.id);
  out.Key("description");
  ResponseToJson(out, job.shown);
  out.Key("fingerprint").String(job.fingerprint);
}

template <class Job>
void ReadHead(table_row::Reader& in, Job& job) {
  in.Require(in.ok() && in.Integer("format") == kFormat);
  job.id = in.String("id");
  job.fingerprint = in.String("fingerprint");
  const std::optional<JsonValue> json = in.Find("description", JsonKind::kObject);
  if (!json) return;
  auto shown = ResponseFromJson<decltype(job.shown)>(*json);
  in.Require(shown.has_value());
  if (shown) job.shown = *std::move(shown);
}

// "progress":{"object":…,"recordsInObject":…,"records":…,"errors":…,"bytes":…}
void Write(JsonWriter& out, const transfer::ImportProgress& progress);
transfer::ImportProgress ReadProgress(table_row::Reader& in);

}  // namespace stator::job_codec

#endif  // STATOR_ENGINE_JOBS_JOB_CODEC_H_
