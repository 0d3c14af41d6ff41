#include "api/tables/table_reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/constraints.h"
#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kMinNameLength = 3;
constexpr std::size_t kMaxNameLength = 255;

Error InvalidPart(std::string_view part, std::string_view reference) {
  return Error::Validation(
      fmt::format("1 validation error detected: Invalid {} in '{}'", part, reference));
}

// Minimum length before the pattern: the order of the control plane.
Result<void> CheckName(std::string_view name) {
  Constraints check;
  check.Length(Constraints::Quoted(name), "tableName", name.size(), kMinNameLength, kMaxNameLength);
  check.NamePattern("tableName", name);
  return check.Finish();
}

// Splits off everything before the next colon; empty when there is none.
std::string_view TakePart(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  return part;
}

}  // namespace

bool IsArn(std::string_view reference) { return reference.starts_with("arn:"); }

bool IsArnId(std::string_view id) {
  return !id.empty() && std::ranges::all_of(id, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
  });
}

Result<std::string> TableNameOf(std::string_view reference, const Engine& engine) {
  if (!IsArn(reference)) return std::string(reference);
  std::string_view rest = reference.substr(4);
  const std::string_view partition = TakePart(rest);
  const std::string_view service = TakePart(rest);
  const std::string_view region = TakePart(rest);
  const std::string_view account = TakePart(rest);
  if (partition != "aws") return std::unexpected(InvalidPart("AWS partition", reference));
  if (service != "dynamodb") return std::unexpected(InvalidPart("AWS service", reference));
  if (region != engine.region()) return std::unexpected(InvalidPart("AWS region", reference));
  // What follows the table's name names an index, a stream or a backup of it.
  if (!rest.starts_with("table/") || rest.find('/', 6) != std::string_view::npos) {
    return std::unexpected(InvalidPart("resource type", reference));
  }
  if (account != engine.account()) return std::unexpected(Error::AccessDenied());
  return std::string(rest.substr(6));
}

Result<std::string> RequiredTableName(const std::optional<std::string>& reference,
                                      const Engine& engine) {
  if (!reference) {
    return std::unexpected(Error::Validation(
        "The parameter 'TableName' is required but was not present in the request"));
  }
  if (!IsArn(*reference)) {
    RETURN_IF_ERROR(CheckName(*reference));
    return *reference;
  }
  Constraints check;
  check.Length(Constraints::Quoted(*reference), "tableName", reference->size(), 1, kMaxArnLength);
  RETURN_IF_ERROR(check.Finish());
  ASSIGN_OR_RETURN(std::string name, TableNameOf(*reference, engine));
  RETURN_IF_ERROR(CheckName(name));
  return name;
}

}  // namespace stator
