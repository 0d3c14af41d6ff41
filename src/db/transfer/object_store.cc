#include "transfer/object_store.h"

#include <array>

#include "base/try.h"

namespace stator::transfer {

TransferResult<void> PutObject(ObjectStore& store, std::string_view bucket, std::string_view key,
                               std::string_view bytes) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ObjectWriter> writer, store.Create(bucket, key));
  RETURN_IF_ERROR(writer->Write(bytes));
  return writer->Commit();
}

TransferResult<std::string> GetObject(const ObjectStore& store, std::string_view bucket,
                                      std::string_view key, std::size_t bytes_max) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, store.Open(bucket, key));
  std::string bytes;
  std::array<char, kChunkBytes> chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const std::size_t count, source->Read(chunk));
    if (count == 0) return bytes;
    if (bytes.size() + count > bytes_max) return Corrupt("the object is too large");
    bytes.append(chunk.data(), count);
  }
}

}  // namespace stator::transfer
