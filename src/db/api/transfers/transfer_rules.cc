#include "api/transfers/transfer_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr std::size_t kMaxBucketLength = 255;
constexpr std::size_t kMaxPrefixLength = 1024;
constexpr std::size_t kOwnerDigits = 12;
constexpr std::size_t kPageTokenLength = 112;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlphanumeric(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsBucket(std::string_view bucket) {
  return bucket.size() >= 2 && IsAlphanumeric(bucket.front()) && IsAlphanumeric(bucket.back()) &&
         std::ranges::all_of(
             bucket, [](char c) { return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_'; });
}

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

void Pattern(Constraints& check, std::string_view path, std::string_view value,
             std::string_view pattern) {
  check.Fail(Constraints::Quoted(value), path,
             fmt::format("Member must satisfy regular expression pattern: {}", pattern));
}

}  // namespace

void ConstrainToken(Constraints& check, const std::optional<std::string>& token) {
  if (!token || (!token->empty() && token->find('$') == std::string::npos)) return;
  Pattern(check, "clientToken", *token, R"(^[^\$]+$)");
}

void ConstrainBucket(Constraints& check, std::string_view path,
                     const std::optional<std::string>& bucket) {
  check.NotNull(path, bucket);
  if (!bucket) return;
  if (!IsBucket(*bucket)) {
    Pattern(check, path, *bucket, R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)");
  }
  check.Length(Constraints::Quoted(*bucket), path, bucket->size(), 0, kMaxBucketLength);
}

void ConstrainBucketOwner(Constraints& check, std::string_view path,
                          const std::optional<std::string>& owner) {
  if (!owner || (owner->size() == kOwnerDigits && std::ranges::all_of(*owner, IsDigit))) return;
  Pattern(check, path, *owner, "[0-9]{12}");
}

void ConstrainPrefix(Constraints& check, std::string_view path,
                     const std::optional<std::string>& prefix) {
  if (!prefix) return;
  check.Length(Constraints::Quoted(*prefix), path, prefix->size(), 0, kMaxPrefixLength);
}

Result<void> CheckBuckets(Engine& engine) {
  if (engine.transfers().has_buckets()) return {};
  return std::unexpected(Error::Validation(
      "This database has no buckets for exports and imports. Start the server with --s3-root DIR "
      "(in a program: DatabaseOptions::s3_root): the folders of DIR are the buckets"));
}

Result<void> CheckLocation(const std::optional<std::string>& bucket,
                           const std::optional<std::string>& prefix) {
  return Transfers::CheckLocation(bucket.value_or(""), prefix.value_or(""));
}

Fingerprint& Fingerprint::Add(const std::optional<std::string>& text) {
  bytes_ += text ? fmt::format("{}:{}", text->size(), *text) : "-";
  return *this;
}

Fingerprint& Fingerprint::Add(const std::optional<std::int64_t>& number) {
  return Add(number ? std::optional(std::to_string(*number)) : std::nullopt);
}

std::string Fingerprint::Text() const {
  const Hash128 hash = HashBytes(bytes_);
  return Hex({hash.data(), hash.size()});
}

Result<std::string> JobIdOf(const std::optional<std::string>& arn, JobArnKind kind,
                            const Engine& engine) {
  Constraints check;
  check.NotNull(kind.member, arn);
  RETURN_IF_ERROR(check.Finish());
  const std::string start = TableArn(engine, "");
  const std::size_t part = arn->rfind(kind.part);
  const bool is_arn = arn->size() <= kMaxArnLength && arn->starts_with(start) &&
                      part != std::string::npos && part > start.size();
  std::string id = is_arn ? arn->substr(part + kind.part.size()) : std::string();
  if (IsArnId(id)) return id;
  return std::unexpected(Error::Validation(fmt::format("Invalid {} ARN", kind.what)));
}

Result<JobPage> JobPage::From(std::string_view limit_name, const std::optional<std::int64_t>& limit,
                              const std::optional<std::string>& next_token) {
  Constraints check;
  check.AtLeast(limit_name, limit, 1);
  check.AtMost(limit_name, limit, kMaxLength);
  RETURN_IF_ERROR(check.Finish());
  JobPage page;
  if (next_token) {
    ASSIGN_OR_RETURN(page.start_after, LastIdOf(*next_token));
  }
  if (limit) page.length = static_cast<std::size_t>(*limit);
  return page;
}

std::string PageToken(std::string_view last_id) {
  std::string token = Hex(last_id);
  token.resize(std::max(token.size(), kPageTokenLength), '0');
  return token;
}

Result<std::string> LastIdOf(const std::string& token) {
  std::string id;
  for (std::size_t i = 0; i + 1 < token.size(); i += 2) {
    const auto digit = [](char c) -> int {
      if (IsDigit(c)) return c - '0';
      return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    const int high = digit(token[i]);
    const int low = digit(token[i + 1]);
    if (high < 0 || low < 0) id.clear();
    if (high <= 0 && low <= 0) break;
    id.push_back(static_cast<char>(high * 16 + low));
  }
  if (token.size() <= kMaxArnLength && IsArnId(id)) return id;
  return std::unexpected(Error::Validation("Invalid NextToken"));
}

}  // namespace stator
