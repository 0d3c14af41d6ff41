// What DynamoDB tells about an export (behaviour.md §9.7).
#ifndef STATOR_API_TRANSFERS_EXPORT_DESCRIPTION_H_
#define STATOR_API_TRANSFERS_EXPORT_DESCRIPTION_H_

#include "stator/transfer_operations.h"
#include "value/json_writer.h"

namespace stator {

// {"ExportDescription":{…}}
void WriteExportResponse(JsonWriter& out, const ExportDescription& shown);

}  // namespace stator

#endif  // STATOR_API_TRANSFERS_EXPORT_DESCRIPTION_H_
