#include "api/constraints.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator {
namespace {

// The framework lists no more than this.
constexpr std::size_t kMaxListed = 10;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

}  // namespace

void Constraints::Fail(std::string_view value, std::string_view path, std::string_view constraint) {
  Add(fmt::format("Value {} at '{}' failed to satisfy constraint: {}", value, path, constraint));
}

void Constraints::AtLeast(std::string_view path, const std::optional<std::int64_t>& member,
                          std::int64_t bound) {
  if (!member || *member >= bound) return;
  Fail(Quoted(std::to_string(*member)), path,
       fmt::format("Member must have value greater than or equal to {}", bound));
}

void Constraints::AtMost(std::string_view path, const std::optional<std::int64_t>& member,
                         std::int64_t bound) {
  if (!member || *member <= bound) return;
  Fail(Quoted(std::to_string(*member)), path,
       fmt::format("Member must have value less than or equal to {}", bound));
}

void Constraints::Length(std::string_view value, std::string_view path, std::size_t length,
                         std::size_t min_length, std::size_t max_length) {
  if (length < min_length) {
    Fail(value, path,
         fmt::format("Member must have length greater than or equal to {}", min_length));
  }
  if (length > max_length) {
    Fail(value, path, fmt::format("Member must have length less than or equal to {}", max_length));
  }
}

void Constraints::NamePattern(std::string_view path, std::string_view name) {
  if (!name.empty() && std::ranges::all_of(name, IsNameCharacter)) return;
  Fail(Quoted(name), path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

void Constraints::Name(std::string_view path, const std::optional<std::string>& name,
                       NameRule rule) {
  if (!name) return;
  // Where one character would do, an empty name is only too short.
  if (!name->empty() || rule.min_length > 1) NamePattern(path, *name);
  if (name->size() >= rule.min_length && name->size() <= rule.max_length) return;
  Length(Quoted(*name), path, name->size(), rule.min_length, rule.max_length);
}

Result<void> Constraints::Finish() const {
  if (elements_.empty()) return {};
  const std::size_t listed = std::min(elements_.size(), kMaxListed);
  std::string message =
      fmt::format("{} validation error{} detected: ", listed, listed == 1 ? "" : "s");
  for (std::size_t i = 0; i < listed; ++i) {
    if (i != 0) message += "; ";
    message += elements_[i];
  }
  return std::unexpected(Error::Validation(std::move(message)));
}

std::string Constraints::Quoted(std::string_view text) { return fmt::format("'{}'", text); }

std::string Constraints::EnumConstraint(std::string_view set) {
  return fmt::format("Member must satisfy enum value set: {}", set);
}

}  // namespace stator
