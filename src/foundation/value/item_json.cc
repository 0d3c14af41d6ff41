#include "value/item_json.h"

#include <string>
#include <utility>

#include "value/item_reader.h"

namespace stator {
namespace {

// A thread keeps its buffers, unless a request made them unusually large.
constexpr std::size_t kKeptBytes = 1 << 20;

ItemReader::Buffers& ThreadBuffers() {
  thread_local ItemReader::Buffers buffers;
  const std::size_t vector_bytes = buffers.attributes.capacity() * sizeof(buffers.attributes[0]);
  if (buffers.out.capacity() > kKeptBytes || vector_bytes > kKeptBytes) buffers = {};
  buffers.out.clear();
  buffers.attributes.clear();
  buffers.places.clear();
  return buffers;
}

template <class Owner>
Result<Owner> Refused(ItemReader& reader, std::string encoded) {
  if (reader.error()) return std::unexpected(*std::move(reader.error()));
  return Owner::WithProblem(*std::move(reader.problem()), std::move(encoded));
}

// Owner is Item or AttributeValue; `read` runs the reader over the whole of it.
template <class Owner, class Read>
Result<Owner> ReadWhole(Wording wording, Read read) {
  std::string encoded;
  {
    ItemReader reader(ThreadBuffers(), wording, ItemReader::Order::kByName);
    const bool complete = read(reader);
    encoded = reader.encoded();
    if (complete && !reader.problem()) [[likely]]
      return Owner::FromEncoded(std::move(encoded));
    if (!reader.reordered()) return Refused<Owner>(reader, std::move(encoded));
  }
  // Something is wrong. What was sent first is reported.
  ItemReader reader(ThreadBuffers(), wording, ItemReader::Order::kAsSent);
  read(reader);
  return Refused<Owner>(reader, std::move(encoded));
}

}  // namespace

Result<Item> ReadItem(JsonValue json, Wording wording) {
  if (json.kind() != JsonKind::kObject) return std::unexpected(NotAMapOfAttributeValues(json));
  return ReadWhole<Item>(
      wording, [&](ItemReader& reader) { return reader.ReadMap(JsonAccess::Get(json), 0); });
}

Result<AttributeValue> ReadAttributeValue(JsonValue json, Wording wording, ValuePlace place) {
  return ReadWhole<AttributeValue>(wording, [&](ItemReader& reader) {
    return reader.ReadValue(JsonAccess::Get(json), place, 0);
  });
}

}  // namespace stator
