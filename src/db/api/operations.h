// Every operation, by its C++ name (kGetItem, kPutItem, …) and by DynamoDB's.
#ifndef STATOR_API_OPERATIONS_H_
#define STATOR_API_OPERATIONS_H_

#include <string_view>

#include "api/operation.h"
#include "stator/operation_list.h"
#include "stator/operations.h"
#include "stator/partiql.h"
#include "stator/recovery.h"
#include "stator/streams.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"
#include "stator/transfer_operations.h"

namespace stator {

#define STATOR_DECLARE(Name) extern const ApiOperation<Name##Request, Name##Response> k##Name;
STATOR_OPERATIONS(STATOR_DECLARE)
#undef STATOR_DECLARE

struct OperationRow {
  std::string_view name;
  Wording wording;  // of its validation messages
  const JsonHandler* run_json;
  bool reads;       // items or records, more than one, before it can answer
  bool reads_many;  // items from all over the store in one request
};
// Null when there is no such operation.
const OperationRow* FindOperation(std::string_view name);

// The answer to an operation that FindOperation does not find. It has a message if DynamoDB would
// know the operation.
Error UnknownOperation(std::string_view name);

}  // namespace stator

#endif  // STATOR_API_OPERATIONS_H_
