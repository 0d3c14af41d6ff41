// What the rows of exports, imports and bulk operations have in common.
#ifndef STATOR_ENGINE_JOBS_JOB_CODEC_H_
#define STATOR_ENGINE_JOBS_JOB_CODEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/table_row.h"
#include "stator/transfer_operations.h"
#include "transfer/import_reader.h"
#include "value/json_writer.h"

namespace stator::job_codec {

// A member that is left out when there is no value.
void Write(JsonWriter& out, std::string_view key, const std::optional<std::string>& text);
void Write(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& number);
std::optional<std::string> ReadText(table_row::Reader& in, std::string_view key);

// "failure":{"code":…,"message":…}
void Write(JsonWriter& out, const std::optional<JobFailure>& failure);
std::optional<JobFailure> ReadFailure(table_row::Reader& in);

// "progress":{"object":…,"recordsInObject":…,"records":…,"errors":…,"bytes":…}
void Write(JsonWriter& out, const transfer::ImportProgress& progress);
transfer::ImportProgress ReadProgress(table_row::Reader& in);

}  // namespace stator::job_codec

#endif  // STATOR_ENGINE_JOBS_JOB_CODEC_H_
