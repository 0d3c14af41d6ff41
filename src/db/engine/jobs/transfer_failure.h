// What a client is told when the files of an export or an import fail.
#ifndef STATOR_ENGINE_JOBS_TRANSFER_FAILURE_H_
#define STATOR_ENGINE_JOBS_TRANSFER_FAILURE_H_

#include <string>
#include <string_view>

#include "stator/transfer_operations.h"
#include "transfer/transfer_error.h"

namespace stator {

JobFailure FailureOf(const transfer::TransferError& error);

// Bytes from outside, such as names of files, as a text that JSON can hold: what is not UTF-8 is
// shown with '?' for every byte that is not ASCII, and what is long is cut.
std::string AsText(std::string_view bytes);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_TRANSFER_FAILURE_H_
