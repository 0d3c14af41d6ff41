// Any bytes as a stream record: refused, or read to the last attribute.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/streams/stream_log.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace {

void Read(stator::ItemView item) {
  if (!stator::IsWellFormedItem(item.encoded())) std::abort();
  if (stator::ItemSizeBytes(item) > 4 * item.encoded().size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<stator::TimeMs> time = stator::DecodeRecordTime(bytes);
  const std::optional<stator::RecordView> record = stator::DecodeRecord(bytes);
  if (!record) return 0;
  if (record->time != time) std::abort();
  Read(record->keys);
  if (record->new_image) Read(*record->new_image);
  if (record->old_image) Read(*record->old_image);
  return 0;
}
