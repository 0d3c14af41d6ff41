// Errors of the files of an export or an import. Clients do not see them: the job that reads or
// writes the files fails with the message, or counts the error.
#ifndef STATOR_TRANSFER_TRANSFER_ERROR_H_
#define STATOR_TRANSFER_TRANSFER_ERROR_H_

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace stator::transfer {

struct TransferError {
  enum class Kind : std::uint8_t {
    kBadName,   // a bucket, key or prefix that the store does not take
    kNotFound,  // no such bucket or object
    kIo,        // the operating system failed
    kCorrupt,  // the rest of an object cannot be read: compression, encoding, a record beyond bounds
    kTooMany,  // more objects than an import takes
  };
  Kind kind;
  std::string message;
};

template <class T>
using TransferResult = std::expected<T, TransferError>;

inline std::unexpected<TransferError> Fail(TransferError::Kind kind, std::string message) {
  return std::unexpected(TransferError{kind, std::move(message)});
}
inline std::unexpected<TransferError> Corrupt(std::string message) {
  return Fail(TransferError::Kind::kCorrupt, std::move(message));
}

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_TRANSFER_ERROR_H_
