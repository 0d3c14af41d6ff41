#include "http/headers.h"

#include <algorithm>
#include <array>

namespace stator::http {
namespace {

constexpr std::string_view kTablesPrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsPrefix = "DynamoDBStreams_20120810.";
constexpr std::array<std::string_view, 4> kStreamsOperations = {"ListStreams", "DescribeStream",
                                                                "GetShardIterator", "GetRecords"};

std::string_view PrefixOf(std::string_view operation) {
  const bool is_streams =
      std::ranges::find(kStreamsOperations, operation) != kStreamsOperations.end();
  return is_streams ? kStreamsPrefix : kTablesPrefix;
}

}  // namespace

bool SameHeaderName(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::ranges::equal(a, b, {}, LowerAscii, LowerAscii);
}

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string Utf8OfHeader(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out.push_back(c);
    } else {
      out.push_back(static_cast<char>(0xc0 | (byte >> 6)));
      out.push_back(static_cast<char>(0x80 | (byte & 0x3f)));
    }
  }
  return out;
}

std::optional<std::string_view> FindHeader(std::span<const HeaderField> headers,
                                           std::string_view name) {
  for (const HeaderField& header : headers) {
    if (SameHeaderName(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::string TargetOfOperation(std::string_view operation) {
  return std::string(PrefixOf(operation)).append(operation);
}

std::string_view OperationOfTarget(std::string_view target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view operation = target.substr(dot + 1);
  return target.substr(0, dot + 1) == PrefixOf(operation) ? operation : std::string_view();
}

}  // namespace stator::http
