// Where the files of exports and imports are: buckets of objects, as in S3.
#ifndef STATOR_TRANSFER_OBJECT_STORE_H_
#define STATOR_TRANSFER_OBJECT_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/byte_stream.h"

namespace stator::transfer {

struct ObjectInfo {
  std::string key;
  std::uint64_t size_bytes = 0;
};

// An object that is being written. It appears when Commit returns; without a Commit it never does.
class ObjectWriter : public ByteSink {
 public:
  virtual TransferResult<void> Commit() = 0;
};

// Thread-safe. The readers and writers that it makes belong to one thread at a time.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual bool HasBucket(std::string_view bucket) const = 0;
  virtual TransferResult<std::unique_ptr<ByteSource>> Open(std::string_view bucket,
                                                           std::string_view key) const = 0;
  // Replaces an object of the same key. Makes the bucket if it does not exist.
  virtual TransferResult<std::unique_ptr<ObjectWriter>> Create(std::string_view bucket,
                                                               std::string_view key) = 0;
  // Objects whose key begins with `prefix`, ascending by the bytes of the key. kTooMany if there
  // are more than `objects_max`.
  virtual TransferResult<std::vector<ObjectInfo>> List(std::string_view bucket,
                                                       std::string_view prefix,
                                                       std::size_t objects_max) const = 0;
};

// Writes a whole object.
TransferResult<void> PutObject(ObjectStore& store, std::string_view bucket, std::string_view key,
                               std::string_view bytes);
// Reads a whole object of at most `bytes_max`; kCorrupt if it is larger.
TransferResult<std::string> GetObject(const ObjectStore& store, std::string_view bucket,
                                      std::string_view key, std::size_t bytes_max);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_OBJECT_STORE_H_
