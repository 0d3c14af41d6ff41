// Ion's binary encoding, version 1.0.
//
//   value      := T:4 L:4 length? representation      L < 14: the length, 14: length is a VarUInt
//                                                     that follows, 15: null
//   T          := 0 null or padding, 1 bool (in L), 2 3 int with sign, 4 float, 5 decimal,
//                 6 timestamp, 7 symbol id, 8 string, 9 clob, 10 blob, 11 list, 12 sexp,
//                 13 struct (field id, value)*, 14 annotations: length ids value
//   VarUInt    := seven bits per byte, most significant first, the last byte has its high bit set
//   VarInt     := the same, with a sign bit behind the high bit of the first byte
//   UInt, Int  := big-endian; Int has its sign in the first bit
#ifndef STATOR_TRANSFER_ION_BINARY_PARSER_H_
#define STATOR_TRANSFER_ION_BINARY_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "transfer/ion/value.h"

namespace stator::transfer {

inline constexpr std::string_view kIonVersionMarker("\xE0\x01\x00\xEA", 4);

// The first bytes of a value.
struct IonHead {
  int type = 0;  // T
  int info = 0;  // L
  std::size_t head_bytes = 0;
  std::uint64_t body_bytes = 0;

  bool is_null() const { return info == 15; }
  bool is_padding() const { return type == 0 && info != 15; }
};
// The most bytes that a head can have.
inline constexpr std::size_t kIonHeadBytesMax = 11;

enum class IonHeadStatus : std::uint8_t { kOk, kTooShort, kMalformed };
// Reads the head at the front of `bytes`; kTooShort if more bytes are needed to tell.
IonHeadStatus ReadIonHead(std::string_view bytes, IonHead& head);

// Reads the value that makes up all of `bytes`. REQUIRES: it is not padding.
IonResult<IonValue> ParseIonBinary(std::string_view bytes, const IonSymbols& symbols);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_BINARY_PARSER_H_
