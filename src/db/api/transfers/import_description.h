// What DynamoDB tells about an import (behaviour.md §9.7).
#ifndef STATOR_API_TRANSFERS_IMPORT_DESCRIPTION_H_
#define STATOR_API_TRANSFERS_IMPORT_DESCRIPTION_H_

#include <string>

#include "api/member_reader.h"
#include "engine/jobs/import_job.h"
#include "stator/transfer_operations.h"
#include "value/json_writer.h"

namespace stator {

// The table that an import makes: its members, and the same as JSON.
std::optional<TableCreationParameters> ReadTableParameters(MemberReader& in);
void WriteTableParameters(JsonWriter& out, const TableCreationParameters& table);

ImportTableDescription Describe(const ImportJob& job);

// {"ImportTableDescription":{…}}
void WriteImportResponse(JsonWriter& out, const ImportTableDescription& shown);

}  // namespace stator

#endif  // STATOR_API_TRANSFERS_IMPORT_DESCRIPTION_H_
