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
  if (buffers.out.capacity() > kKeptBytes || buffers.ordered.capacity() > kKeptBytes ||
      buffers.attributes.capacity() * sizeof(buffers.attributes[0]) > kKeptBytes) {
    buffers = {};
  }
  buffers.out.clear();
  buffers.attributes.clear();
  return buffers;
}

// Owner is Item or AttributeValue; `read` runs the reader over the whole of it.
template <class Owner, class Read>
Result<Owner> ReadWhole(Wording wording, Read read) {
  ItemReader::Buffers& buffers = ThreadBuffers();
  ItemReader reader(buffers, wording, /*skip_overridden=*/false);
  if (!read(reader)) return std::unexpected(std::move(reader).error());
  if (!reader.problem()) [[likely]]
    return Owner::FromEncoded(buffers.out);
  if (!reader.saw_repeated_names()) {
    return Owner::WithProblem(*std::move(reader.problem()), buffers.out);
  }
  // The problem may be in an attribute that a later one of the same name overrides.
  buffers.out.clear();
  buffers.attributes.clear();
  ItemReader careful(buffers, wording, /*skip_overridden=*/true);
  if (!read(careful)) return std::unexpected(std::move(careful).error());
  if (!careful.problem()) return Owner::FromEncoded(buffers.out);
  return Owner::WithProblem(*std::move(careful.problem()), buffers.out);
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
