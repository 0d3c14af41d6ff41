// The request of TransactWriteItems: its members, the framework's constraints on them, and what
// makes two requests the same.
#ifndef STATOR_API_TRANSACTIONS_TRANSACT_WRITE_REQUEST_H_
#define STATOR_API_TRANSACTIONS_TRANSACT_WRITE_REQUEST_H_

#include <string>

#include "base/wording.h"
#include "stator/result.h"
#include "stator/transactions.h"
#include "value/json.h"

namespace stator {

Result<TransactWriteItemsRequest> ReadTransactWrite(JsonValue body, Wording wording);

Result<void> CheckConstraints(const TransactWriteItemsRequest& request);

// Bytes that are equal for equal requests; how much of the answer is about capacity does not count.
std::string FingerprintOf(const TransactWriteItemsRequest& request);

}  // namespace stator

#endif  // STATOR_API_TRANSACTIONS_TRANSACT_WRITE_REQUEST_H_
