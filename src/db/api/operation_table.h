// The operations by name, and how each one words its validation messages.
#ifndef STATOR_API_OPERATION_TABLE_H_
#define STATOR_API_OPERATION_TABLE_H_

#include <string_view>

#include "api/operation.h"
#include "base/wording.h"

namespace stator {

struct OperationRow {
  std::string_view name;
  Wording wording;
  const JsonDoor* run_json;
};

// Null when there is no such operation.
const OperationRow* FindOperation(std::string_view name);

}  // namespace stator

#endif  // STATOR_API_OPERATION_TABLE_H_
