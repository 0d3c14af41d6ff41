#include "partiql/refusal.h"

#include <fmt/format.h>

#include <utility>

namespace stator::partiql {

std::unexpected<Error> Malformed(std::string_view detail) {
  return Refused(fmt::format("Statement wasn't well formed, can't be processed: {}", detail));
}

std::unexpected<Error> Refused(std::string message) {
  return std::unexpected(Error::Validation(std::move(message)));
}

std::unexpected<Error> RefusedAt(std::string_view message, SourcePlace place) {
  return Refused(fmt::format("{} at {}:{}:{}", message, place.line, place.column, place.length));
}

}  // namespace stator::partiql
