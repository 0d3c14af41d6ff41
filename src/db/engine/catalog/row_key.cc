#include "engine/catalog/row_key.h"

#include <algorithm>

#include "base/big_endian.h"
#include "base/check.h"
#include "engine/store_access.h"

namespace stator {
namespace {

std::string RowPrefix(TableNumber table, IndexNumber index) {
  std::string key;
  key.reserve(kPartitionPrefixBytes + 64);
  key.push_back(kRowSpace);
  AppendBigEndian(key, table, 4);
  AppendBigEndian(key, index, 2);
  return key;
}

// The first hash value of a segment, as the eight leading bytes of the hash.
std::uint64_t SegmentStart(std::uint64_t segment, std::uint64_t total) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{segment} << 64) / total);
}

// Values of key attributes, in the order of the schema.
template <std::size_t N>
struct KeyParts {
  std::array<ValueView, N> values;
  std::size_t count = 0;
  std::span<const ValueView> span() const { return {values.data(), count}; }
};

// False if one of the attributes cannot be an index key. `item` is an ItemView or ItemKeys, here and
// below.
template <class Attributes, std::size_t N>
bool CollectIndexKey(const std::vector<KeyAttribute>& attributes, const Attributes& item,
                     std::size_t max_bytes, KeyParts<N>& parts) {
  std::size_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!value || !Matches(attribute.type, value->type())) return false;
    const std::size_t size = KeyValueBytes(*value);
    if (size == 0 && value->type() != Type::kN) return false;
    bytes += size;
    parts.values[parts.count++] = *value;
  }
  return bytes <= max_bytes;
}

// The table's key attributes, which exist and fit by contract.
template <class Attributes>
KeyParts<2> CollectTableKey(const Table& table, const Attributes& key) {
  KeyParts<2> parts;
  for (const auto* attributes : {&table.keys.hash, &table.keys.range}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = key.Find(attribute.name);
      STATOR_CHECK(value.has_value());
      parts.values[parts.count++] = *value;
    }
  }
  return parts;
}

// A number for the bytes of a name: FNV-1a.
std::int64_t PartOfName(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : name) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return static_cast<std::int64_t>((hash ^ hash >> 32) % kParts);
}

// The same for a keyed hash, which is evenly spread already.
std::int64_t PartOfHash(std::string_view hash) {
  return static_cast<std::int64_t>(ReadBigEndian(hash.substr(0, 8)) % kParts);
}

void AppendHash(std::string& key, const Hash128& hash) { key.append(hash.data(), hash.size()); }

template <class Attributes>
Hash128 HashOfKey(const KeyHasher& hasher, const Table& table, const Attributes& item) {
  return hasher.Hash(CollectTableKey(table, item).span());
}

// All of an entry's row but the tail.
template <class Attributes>
std::optional<std::string> EntryRowStart(const KeyHasher& hasher, const Table& table,
                                         const Index& index, const Attributes& item) {
  KeyParts<4> hash;
  KeyParts<4> range;
  if (!CollectIndexKey(index.keys.hash, item, kMaxPartitionKeyBytes, hash)) return std::nullopt;
  if (!CollectIndexKey(index.keys.range, item, kMaxSortKeyBytes, range)) return std::nullopt;
  std::string row = PartitionPrefix(hasher, table.number, index.number, hash.span());
  for (const ValueView part : range.span()) AppendKeyPart(row, part);
  return row;
}

}  // namespace

TableKeyNames::TableKeyNames(const Table& table) {
  bool fits = AddAll(table.keys);
  for (const Index& index : table.indexes) fits = fits && AddAll(index.keys);
  if (!fits) count_ = 0;
}

bool TableKeyNames::AddAll(const KeySchema& keys) {
  const auto add = [this](const KeyAttribute& attribute) { return Add(attribute.name); };
  return std::ranges::all_of(keys.hash, add) && std::ranges::all_of(keys.range, add);
}

bool TableKeyNames::Add(std::string_view name) {
  const auto end = names_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto at = std::lower_bound(names_.begin(), end, name);
  if (at != end && *at == name) return true;
  if (count_ == kMax) return false;
  std::move_backward(at, end, end + 1);
  *at = name;
  ++count_;
  return true;
}

ItemKeys::ItemKeys(const TableKeyNames& names, ItemView item) : names_(names), item_(item) {
  const std::span<const std::string_view> wanted = names.sorted();
  std::size_t next = 0;
  for (const auto& [name, value] : item) {
    while (next < wanted.size() && wanted[next] < name) ++next;
    if (next == wanted.size()) return;
    if (wanted[next] == name) values_[next++] = value;
  }
}

std::optional<ValueView> ItemKeys::Find(std::string_view name) const {
  const std::span<const std::string_view> names = names_.sorted();
  if (names.empty()) return item_.Find(name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != name) continue;
    if (values_[i].encoded().empty()) return std::nullopt;
    return values_[i];
  }
  return std::nullopt;
}

std::size_t KeyValueBytes(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return value.S().size();
    case Type::kB:
      return value.B().size();
    default:
      return 0;  // a number is never too long
  }
}

KeyRange TableRows(TableNumber table) {
  return RowsWithPrefix(kRowSpace + BigEndian(table, sizeof(table)));
}

KeyRange IndexRows(TableNumber table, IndexNumber index) {
  return RowsWithPrefix(RowPrefix(table, index));
}

KeyRange SegmentRows(TableNumber table, IndexNumber index, std::uint64_t segment,
                     std::uint64_t total) {
  KeyRange rows = IndexRows(table, index);
  std::string prefix = rows.begin;
  if (segment != 0) AppendBigEndian(rows.begin, SegmentStart(segment, total), 8);
  if (segment + 1 != total) {
    rows.end = std::move(prefix);
    AppendBigEndian(rows.end, SegmentStart(segment + 1, total), 8);
  }
  return rows;
}

std::string PartitionPrefix(const KeyHasher& hasher, TableNumber table, IndexNumber index,
                            std::span<const ValueView> hash_parts) {
  std::string key = RowPrefix(table, index);
  AppendHash(key, hasher.Hash(hash_parts));
  return key;
}

std::string ItemRowKey(const KeyHasher& hasher, const Table& table, ItemView key) {
  const KeyParts<2> parts = CollectTableKey(table, key);
  std::string row = PartitionPrefix(hasher, table.number, 0, parts.span().first(1));
  if (parts.count == 2) AppendKeyPart(row, parts.values[1]);
  return row;
}

std::optional<std::string> EntryRowKey(const KeyHasher& hasher, const Table& table,
                                       const Index& index, ItemView item) {
  std::optional<std::string> row = EntryRowStart(hasher, table, index, item);
  if (row) AppendHash(*row, HashOfKey(hasher, table, item));
  return row;
}

std::int64_t PartOf(std::string_view key) {
  constexpr std::size_t kShardLogBytes = 1 + 4 + 8;
  constexpr std::size_t kTableNameBytes = 1 + 4;
  constexpr std::size_t kTokenStart = 2;
  if (key.empty()) return 0;
  switch (key.front()) {
    case kRowSpace:
      return key.size() < kPartitionPrefixBytes ? 0 : PartOfHash(key.substr(kRowPrefixBytes));
    case kStreamSpace:
      return PartOfName(key.substr(0, kShardLogBytes));
    case kExpirySpace:
    case kHistorySpace:
      return PartOfName(key.substr(0, kTableNameBytes));
    case kTokenSpace:
      // Both rows of a token end with it.
      if (key.size() < kTokenStart + sizeof(Hash128)) return 0;
      return PartOfHash(key.substr(key.size() - sizeof(Hash128)));
    default:
      return 0;
  }
}

Hash128 BaseHash(const KeyHasher& hasher, const Table& table, const ItemKeys& keys) {
  return HashOfKey(hasher, table, keys);
}

std::optional<std::string> EntryRowKey(const KeyHasher& hasher, const Table& table,
                                       const Index& index, const ItemKeys& keys,
                                       const Hash128& base_hash) {
  std::optional<std::string> row = EntryRowStart(hasher, table, index, keys);
  if (row) AppendHash(*row, base_hash);
  return row;
}

}  // namespace stator
