// What a client is told when the files of an export or an import fail.
#ifndef STATOR_ENGINE_TRANSFER_FAILURE_H_
#define STATOR_ENGINE_TRANSFER_FAILURE_H_

#include "stator/transfer_operations.h"
#include "transfer/transfer_error.h"

namespace stator {

inline JobFailure FailureOf(const transfer::TransferError& error) {
  using Kind = transfer::TransferError::Kind;
  switch (error.kind) {
    case Kind::kBadName:
      return {"S3InvalidName", error.message};
    case Kind::kNotFound:
      return {"S3NoSuchKey", error.message};
    case Kind::kIo:
      return {"S3AccessFailed", error.message};
    case Kind::kCorrupt:
      return {"S3CorruptObject", error.message};
    case Kind::kTooMany:
      return {"S3TooManyObjects", error.message};
  }
  return {"S3AccessFailed", error.message};
}

}  // namespace stator

#endif  // STATOR_ENGINE_TRANSFER_FAILURE_H_
