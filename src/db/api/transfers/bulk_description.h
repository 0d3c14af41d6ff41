// What DynamoDB tells about a bulk operation (behaviour.md §9.12).
#ifndef STATOR_API_TRANSFERS_BULK_DESCRIPTION_H_
#define STATOR_API_TRANSFERS_BULK_DESCRIPTION_H_

#include <string>

#include "engine/engine.h"
#include "stator/result.h"
#include "stator/transfer_operations.h"
#include "value/json_writer.h"

namespace stator {

// The operation behind an ARN of a request; "Bulk operation not found: …".
Result<BulkPtr> FindBulkOperation(const std::string& arn, Engine& engine);

// {"BulkOperationDescription":{…}}
void WriteBulkOperationResponse(JsonWriter& out, const BulkOperationDescription& shown);

}  // namespace stator

#endif  // STATOR_API_TRANSFERS_BULK_DESCRIPTION_H_
