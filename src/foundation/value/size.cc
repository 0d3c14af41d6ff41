#include "value/size.h"

#include "value/encoding.h"
#include "value/number.h"

namespace stator {
namespace {

using encoding::ReadVarint;

// What every list or map costs, and every element in it.
constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kElementBytes = 1;

// The Read functions return the size of what is encoded at `at`, and move behind it.

std::size_t ReadValueSize(const char*& at);

std::size_t ReadBytesSize(const char*& at) {
  const std::size_t length = ReadVarint(at);
  at += length;
  return length;
}

std::size_t ReadNumberSize(const char*& at) {
  return static_cast<std::size_t>(NumberSizeBytes(encoding::ReadNumber(at)));
}

std::size_t ReadSetSize(char tag, const char*& at) {
  std::size_t bytes = 0;
  for (std::size_t left = ReadVarint(at); left != 0; --left) {
    bytes += tag == encoding::kNumberSet ? ReadNumberSize(at) : ReadBytesSize(at);
  }
  return bytes;
}

std::size_t ReadListSize(const char*& at) {
  std::size_t bytes = kContainerBytes;
  for (std::size_t left = ReadVarint(at); left != 0; --left) {
    bytes += kElementBytes + ReadValueSize(at);
  }
  return bytes;
}

// Names and values, and `each` more per attribute.
std::size_t ReadAttributesSize(const char*& at, std::size_t each) {
  std::size_t bytes = 0;
  for (std::size_t left = ReadVarint(at); left != 0; --left) {
    bytes += each + ReadBytesSize(at);
    // Most values are strings.
    if (*at == encoding::kString) {
      ++at;
      bytes += ReadBytesSize(at);
    } else {
      bytes += ReadValueSize(at);
    }
  }
  return bytes;
}

std::size_t ReadValueSize(const char*& at) {
  const char tag = *at++;
  switch (tag) {
    case encoding::kString:
    case encoding::kBinary:
      return ReadBytesSize(at);
    case encoding::kNumber:
      return ReadNumberSize(at);
    case encoding::kTrue:
    case encoding::kFalse:
    case encoding::kNull:
      return 1;
    case encoding::kList:
      at += encoding::kSizeBytes;
      return ReadListSize(at);
    case encoding::kMap:
      at += encoding::kSizeBytes;
      return kContainerBytes + ReadAttributesSize(at, kElementBytes);
    default:
      at += encoding::kSizeBytes;
      return ReadSetSize(tag, at);
  }
}

}  // namespace

std::size_t ValueSizeBytes(ValueView value) {
  const char* at = value.encoded().data();
  return ReadValueSize(at);
}

std::size_t ItemSizeBytes(ItemView item) {
  const char* at = item.encoded().data();
  return ReadAttributesSize(at, 0);
}

std::size_t AttributeSizeBytes(std::string_view name, ValueView value) {
  return name.size() + ValueSizeBytes(value);
}

}  // namespace stator
