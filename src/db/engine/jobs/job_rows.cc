#include "engine/jobs/job_rows.h"

#include <algorithm>

#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

constexpr std::size_t kTextBytesMax = 2000;

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool IsUtf8(std::string_view bytes) {
  if (std::ranges::all_of(bytes, IsAscii)) return true;
  std::string json;
  JsonWriter(json).String(bytes);
  return JsonDocument().Parse(json);
}

std::string_view CodeOf(transfer::TransferError::Kind kind) {
  using Kind = transfer::TransferError::Kind;
  switch (kind) {
    case Kind::kBadName:
      return "S3InvalidName";
    case Kind::kNotFound:
      return "S3NoSuchKey";
    case Kind::kIo:
      return "S3AccessFailed";
    case Kind::kCorrupt:
      return "S3CorruptObject";
    case Kind::kTooMany:
      return "S3TooManyObjects";
  }
  return "S3AccessFailed";
}

}  // namespace

JobFailure FailureOf(const transfer::TransferError& error) {
  return {std::string(CodeOf(error.kind)), AsText(error.message)};
}

std::string AsText(std::string_view bytes) {
  // The cut does not split a character.
  std::size_t end = std::min(bytes.size(), kTextBytesMax);
  while (end < bytes.size() && end > 0 && (static_cast<unsigned char>(bytes[end]) & 0xC0) == 0x80) {
    --end;
  }
  std::string text(bytes.substr(0, end));
  if (!IsUtf8(text)) {
    std::ranges::replace_if(text, [](char c) { return !IsAscii(c); }, '?');
  }
  return text;
}

}  // namespace stator
