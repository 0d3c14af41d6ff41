// What people type into the shop, and what they are told.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "systems/orders/shop.h"
#include "systems/program/fallible.h"
#include "systems/program/text.h"

namespace stator::systems::orders {
namespace {

std::unexpected<EntityError> Unfit(std::string message) {
  return std::unexpected(EntityError{
      .kind = EntityErrorKind::kInvalid, .message = std::move(message), .item = {}, .cause = {}});
}

// The length of the character that `text` begins with; 0: it is not UTF-8, or a control character.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_surrogate = first == 0xED && second >= 0xA0;
  const bool is_beyond = first == 0xF4 && second >= 0x90;
  const bool is_control = first == 0xC2 && second < 0xA0;
  return is_overlong || is_surrogate || is_beyond || is_control ? 0 : length;
}

bool IsPrintable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Which of the reasons for which a transaction was refused says something.
std::string ReasonOf(const Error& error) {
  for (const CancellationReason& reason : error.cancellation_reasons()) {
    if (!reason.message.empty()) return reason.message;
  }
  return error.message();
}

}  // namespace

EntityResult<void> CheckText(std::string_view what, std::string_view text, std::size_t bytes_max) {
  if (text.empty()) return Unfit(fmt::format("{} is empty", what));
  if (text.size() > bytes_max) {
    return Unfit(
        fmt::format("{} has {} bytes; there is room for {}", what, text.size(), bytes_max));
  }
  if (!IsPrintable(text)) {
    return Unfit(fmt::format("{} has characters that cannot be printed", what));
  }
  if (text.front() == ' ' || text.back() == ' ') {
    return Unfit(fmt::format("{} begins or ends with a blank", what));
  }
  if (text.find('#') != std::string_view::npos) {
    return Unfit(fmt::format("{} has a #, which separates the parts of a key", what));
  }
  return {};
}

EntityResult<std::string> CheckedTime(std::string_view text) {
  const auto time = ParseTime(text);
  if (!time) {
    return Unfit(fmt::format("`{}` is no time: write it like 2026-02-28T08:00:00Z", text));
  }
  return ShortTime(std::chrono::floor<std::chrono::seconds>(*time));
}

std::string Explained(const EntityError& error) {
  if (!error.cause) return error.message;
  switch (error.cause->code()) {
    case ErrorCode::kNoAnswer:
      return "the database does not answer: " + error.cause->message();
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kTableNotFound:
      return "the table is not there, or lacks an index of this program's model";
    case ErrorCode::kThrottling:
    case ErrorCode::kProvisionedThroughputExceeded:
    case ErrorCode::kRequestLimitExceeded:
      return "the database has too much to do: try again in a moment";
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kTransactionInProgress:
      return "somebody else is changing the same: try again";
    case ErrorCode::kTransactionCanceled:
      return error.kind == EntityErrorKind::kConflict
                 ? "somebody else is changing the same: try again"
                 : "the database refused it: " + ReasonOf(*error.cause);
    default:
      return "the database refused it: " + error.cause->message();
  }
}

}  // namespace stator::systems::orders
