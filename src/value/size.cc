#include "value/size.h"

#include "value/encoding.h"
#include "value/number.h"

namespace stator {
namespace {

using encoding::ReadBytes;
using encoding::ReadVarint;

// What every list or map costs, and every element in it.
constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kElementBytes = 1;

std::size_t ReadValueSize(std::string_view& rest);

std::size_t NumberSize(std::string_view encoded) {
  return static_cast<std::size_t>(NumberSizeBytes(encoded));
}

std::size_t ReadSetSize(Type type, std::string_view& rest) {
  std::size_t bytes = 0;
  for (std::size_t left = ReadVarint(rest); left != 0; --left) {
    const std::string_view member = encoding::ReadMember(type, rest);
    bytes += type == Type::kNS ? NumberSize(member) : member.size();
  }
  return bytes;
}

std::size_t ReadListSize(std::string_view& rest) {
  std::size_t bytes = kContainerBytes;
  for (std::size_t left = ReadVarint(rest); left != 0; --left) {
    bytes += kElementBytes + ReadValueSize(rest);
  }
  return bytes;
}

// Names and values, `each` more an attribute.
std::size_t ReadAttributesSize(std::string_view& rest, std::size_t each) {
  std::size_t bytes = 0;
  for (std::size_t left = ReadVarint(rest); left != 0; --left) {
    bytes += each + ReadBytes(rest).size();
    bytes += ReadValueSize(rest);
  }
  return bytes;
}

// Splits one value off the front and says its size.
std::size_t ReadValueSize(std::string_view& rest) {
  const char tag = rest.front();
  rest.remove_prefix(1);
  switch (tag) {
    case encoding::kString:
    case encoding::kBinary:
      return ReadBytes(rest).size();
    case encoding::kNumber:
      return NumberSize(encoding::ReadNumber(rest));
    case encoding::kTrue:
    case encoding::kFalse:
    case encoding::kNull:
      return 1;
    default:
      break;
  }
  rest.remove_prefix(encoding::kSizeBytes);
  switch (tag) {
    case encoding::kList:
      return ReadListSize(rest);
    case encoding::kMap:
      return kContainerBytes + ReadAttributesSize(rest, kElementBytes);
    default:
      return ReadSetSize(encoding::TypeOfTag(tag), rest);
  }
}

}  // namespace

std::size_t ValueSizeBytes(ValueView value) {
  std::string_view rest = value.encoded();
  return ReadValueSize(rest);
}

std::size_t ItemSizeBytes(ItemView item) {
  std::string_view rest = item.encoded();
  return ReadAttributesSize(rest, 0);
}

std::size_t AttributeSizeBytes(std::string_view name, ValueView value) {
  return name.size() + ValueSizeBytes(value);
}

}  // namespace stator
